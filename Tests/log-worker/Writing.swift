import Foundation
import MailboxLog
import TestSupport

/// `write PATH PREFIX SEED COUNT`: random operations on keys of its own, COUNT of them or, with 0, until the process is killed.
///
/// Before each it prints `I key=number key=- …`, what will change (`I *`: everything goes), and `A` once the call has returned. With `--alone`
/// nobody else writes, and everything may be removed at once.
func write(_ arguments: Arguments) throws {
  var random = SplitMix64(seed: UInt64(arguments.count(2)))
  let opened = try arguments.opened()
  let (prefix, count) = (arguments[1], arguments.count(3))
  var log = try opened.log()
  emit("ready")
  var number = Int(random.next() % 1_000_000) * 1_000
  func name() -> String { "\(prefix)\(random.next() % 14)" }

  func perform(_ intent: String, _ body: (KeyValueLog) throws -> Void) throws {
    emit("I \(intent)")
    while true {
      do {
        try body(log)
        break
      } catch {
        guard error as? LogError == .keyChanged else { throw error }
        log = try opened.log()
      }
    }
    emit("A")
  }

  var index = 0
  while count == 0 || index < count {
    index += 1
    number += 1
    let value = LogValues.text(number)
    switch random.next() % 100 {
    case 0..<62:
      let name = name()
      try perform("\(name)=\(number)") { try $0.set(value, forKey: name) }
    case 62..<74:
      let name = name()
      try perform("\(name)=-") { try $0.removeValue(forKey: name) }
    case 74..<84:
      let names = Set((0..<4).map { _ in name() }).sorted()
      let last = names[names.count - 1]
      try perform(names.dropLast().map { "\($0)=\(number)" }.joined(separator: " ") + " \(last)=-") { log in
        try log.update { batch in
          for name in names.dropLast() { batch.set(value, forKey: name) }
          batch.removeValue(forKey: last)
        }
      }
    case 84..<91:
      // Whatever it was: nobody else writes it.
      let name = name()
      try perform("\(name)=\(number)") { log in
        let before = try log.string(forKey: name)
        require(try log.compareAndSet(name, expected: before, to: value), "somebody else wrote \(name)")
      }
    case 91: if arguments.has("--alone"), random.next() % 4 == 0 { try perform("*") { try $0.removeAll() } }
    case 92..<95: try perform("") { try $0.compact() }
    case 95: try perform("") { try $0.synchronize() }
    case 96: try perform("") { try $0.backup(to: opened.path + "-\(prefix)-copy") }
    default:
      log.close()
      log = try opened.log()
    }
  }
}

/// `rekey PATH`: gives the log one of its keys after the other, until the process is killed.
func rekey(_ arguments: Arguments) throws {
  let opened = try arguments.opened()
  let keys = try arguments.keys
  emit("ready")
  for index in 0... {
    let log = try opened.log()
    do {
      try log.rekey(to: keys[index % keys.count])
      emit("rekeyed")
    } catch {
      switch error {
      case .busy, .keyChanged: continue
      default: throw error
      }
    }
  }
}

/// `count PATH COUNT`: adds one that often, by compare and exchange, and meanwhile reads.
func count(_ arguments: Arguments) throws {
  let log = try arguments.opened().log()
  for _ in 0..<arguments.count(1) {
    while true {
      let seen = try log.int(forKey: "counter")
      if try log.compareAndSet("counter", expected: seen, to: (seen ?? 0) + 1) { break }
    }
  }
  emit("ok")
}
