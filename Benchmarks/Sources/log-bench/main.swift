// A process that does one thing with a key-value log, measures itself and says so in one line.
import CMeasure
import Glibc
import MailboxLog

let usage = """
  log-bench MODE [PATH [COUNT]] [--sealed] [--synced] [--times N]
    empty    do nothing: what a process of this kind costs by itself
    fill     make a log of COUNT keys
    set      set each key once more, one call each
    get      get each key, a second pass
    get-one  open, get one key, close
    cached   get one key again and again
  With --times each of the last is as long as N measurements: for a profiler.
  """

struct Arguments {
  var words: [String] = []
  var isSealed = false
  var isSynced = false
  var times = 1

  init(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--times": times = arguments.next().flatMap { Int($0) } ?? 1
      case "--sealed": isSealed = true
      case "--synced": isSynced = true
      default: words.append(argument)
      }
    }
  }
  var mode: String { words.first ?? "" }
  var count: Int { words.count > 2 ? Int(words[2]) ?? 0 : 0 }

  func open() throws(LogError) -> KeyValueLog {
    var options = LogOptions()
    if isSealed { options.key = try EncryptionKey([UInt8](repeating: 7, count: 32)) }
    options.durability = isSynced ? .powerLoss : .processCrash
    return try KeyValueLog(path: words[1], options: options)
  }
}

let value = [UInt8](repeating: 1, count: 100)
func key(_ number: Int) -> String {
  let digits = String(number)
  return "key-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
}

func fill(_ arguments: Arguments) throws(LogError) {
  let log = try arguments.open()
  for start in stride(from: 0, to: arguments.count, by: 500) {
    try log.update { batch throws(LogError) in
      for number in start..<min(start + 500, arguments.count) { batch.set(value, forKey: key(number)) }
    }
  }
  try log.synchronize()
  log.close()
}

func get(_ log: KeyValueLog, _ keys: [String]) throws(LogError) -> Int {
  var sum = 0
  for key in keys { sum += try log.withBytes(forKey: key) { span throws(LogError) in Int(span[0]) } ?? 0 }
  return sum
}

func measured(_ arguments: Arguments) throws(LogError) {
  let log = try arguments.open()
  let keys = (0..<arguments.count).map(key)
  // As the peers do: a measurement takes some milliseconds, and a few compactions.
  var passes = max((arguments.mode == "get" ? 200_000 : 50_000) / max(arguments.count, 1), 1) * arguments.times
  var operations = arguments.count
  var sum = 0
  switch arguments.mode {
  case "get":
    sum = try get(log, keys)
    measure_begin()
    for _ in 0..<passes { sum += try get(log, keys) }
    measure_end()
    precondition(sum == operations * (passes + 1), "other values")
  case "cached":
    let one = [String](repeating: keys[0], count: 1_000)
    (passes, operations) = (200 * arguments.times, 1_000)
    measure_begin()
    for _ in 0..<passes { sum += try get(log, one) }
    measure_end()
  default:
    if arguments.isSynced { (passes, operations) = (arguments.times, min(200, operations)) }
    measure_begin()
    for _ in 0..<passes { for key in keys[..<operations] { try log.set(value, forKey: key) } }
    measure_end()
  }
  log.close()
  measure_report(UInt64(operations * passes), 0)
}

func getOne(_ arguments: Arguments) throws(LogError) {
  let key = key(arguments.count / 2)
  measure_begin()
  let log = try arguments.open()
  let count = try log.withBytes(forKey: key) { span throws(LogError) in span.count }
  log.close()
  measure_end()
  precondition(count == value.count, "another value")
  measure_report(1, 0)
}

let arguments = Arguments(CommandLine.arguments.dropFirst())
do throws(LogError) {
  switch arguments.mode {
  case "empty": measure_report(0, 0)
  case "fill": try fill(arguments)
  case "set", "get", "cached": try measured(arguments)
  case "get-one": try getOne(arguments)
  default:
    print(usage)
    exit(2)
  }
} catch {
  print("log-bench: \(error)")
  exit(1)
}
