import MailboxLog

// What `Benchmarks/price` measures from outside: one kind of call, so many times, in a process that does nothing else.
//
//     price-list idle
//     price-list append|drain DIRECTORY COUNT key|- durable|unsynced
//     price-list set|get|many PATH COUNT key|- durable|unsynced

let arguments = CommandLine.arguments

func options() throws(LogError) -> LogOptions {
  var options = LogOptions(key: arguments[4] == "-" ? nil : try EncryptionKey([UInt8](repeating: 7, count: 32)))
  options.durability = arguments[5] == "durable" ? .powerLoss : .processCrash
  return options
}

func run(_ what: String, _ path: String, _ count: Int) throws(LogError) {
  let value = [UInt8](repeating: 1, count: 200)
  switch what {
  case "append":
    let writer = try MailboxWriter(directory: path, options: options())
    for number in 0..<count { try writer.append(id: "message \(number)", payload: value) }
    writer.close()
  case "drain":
    let reader = try MailboxReader(directory: path, options: options())
    var positions: [MailboxPosition] = []
    try reader.forEachPending(limit: count) { entry throws(LogError) in positions.append(entry.position) }
    if positions.count != count { fatalError("only \(positions.count) were pending") }
    try reader.acknowledge(positions)
    reader.close()
  case "set", "get", "many":
    let log = try KeyValueLog(path: path, options: options())
    if what == "many" {
      try log.update { batch throws(LogError) in for number in 0..<count { batch.set(value.span, forKey: "key \(number)") } }
      try log.compact()
    } else {
      for number in 0..<count {
        let key = "key \(number)"
        if what == "set" {
          try log.set(value.span, forKey: key)
        } else if try log.bytes(forKey: key) == nil {
          fatalError("no \(key)")
        }
      }
    }
    log.close()
  default: fatalError("no call is named \(what)")
  }
}

if arguments.count == 6, let count = Int(arguments[3]) {
  do throws(LogError) { try run(arguments[1], arguments[2], count) } catch { fatalError(error.description) }
}
