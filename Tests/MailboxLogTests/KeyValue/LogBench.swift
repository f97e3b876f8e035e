import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// A small log of every kind of record, and what was ever written to which key.
final class LogBench {
  let directory = TemporaryDirectory()
  let key: EncryptionKey?
  let original: [UInt8]
  private(set) var history: [String: [[UInt8]]] = [:]
  private(set) var newest: [String: [UInt8]] = [:]
  /// Which keys the record of a number changes; those of a batch count together.
  private var changed: [UInt64: [String]] = [:]
  var path: String { directory.path(of: "a.kvlog") }

  init(isSealed: Bool) throws {
    key = isSealed ? try EncryptionKey([UInt8](repeating: 9, count: 32)) : nil
    let path = directory.path(of: "original.kvlog")
    let log = try KeyValueLog(path: path, options: LogOptions(key: key))
    var random = SplitMix64(seed: 4)
    var changes: [(sequence: UInt64, names: [String])] = []
    var history: [String: [[UInt8]]] = [:]
    var newest: [String: [UInt8]] = [:]
    func value() -> [UInt8] { (0..<Int(random.next() % 150)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    func note(_ names: [String], _ value: [UInt8]?) throws {
      for name in names {
        if let value { history[name, default: []].append(value) }
        newest[name] = value
      }
      let last = try log.lastChange()
      for index in names.indices { changes.append((last - UInt64(names.count - 1 - index), names)) }
    }
    func set(_ name: String) throws {
      let new = value()
      try log.set(new, forKey: name)
      try note([name], new)
    }
    for number in 0..<90 { try set("n\(number)") }
    try log.compact()
    for number in stride(from: 0, to: 90, by: 5) { try set("n\(number)") }
    for number in 0..<6 {
      try log.removeValue(forKey: "n\(number * 7)")
      try note(["n\(number * 7)"], nil)
    }
    for round in 0..<3 {
      let (names, new) = ((0..<4).map { "n\(round * 20 + $0)" }, value())
      try log.update { batch in for name in names { batch.set(new, forKey: name) } }
      try note(names, new)
    }
    log.close()
    original = directory.contents("original.kvlog") ?? []
    (self.history, self.newest) = (history, newest)
    for change in changes { changed[change.sequence] = change.names }
  }

  var committedEnd: Int {
    let coding = WordCoding(identifier: identifier)
    return Int(coding.decode(word(.committedEnd), index: SegmentLayout.Word.committedEnd.rawValue) ?? 0)
  }
  var identifier: MailboxSegmentID {
    let block = ByteBuffer(count: 8192)
    block.copy(Array(original[..<8192]).span, at: 0)
    return SegmentHeader.identifier(in: block)
  }
  private func word(_ word: SegmentLayout.Word) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(original[Int(word.offset) + $1]) << UInt64(8 * $1) }
  }

  /// Where each record is, and its kind and number.
  var frames: [(range: Range<Int>, kind: UInt8, sequence: UInt64)] {
    func number(_ at: Int, _ count: Int) -> UInt64 { (0..<count).reduce(0) { $0 | UInt64(original[at + $1]) << UInt64(8 * $1) } }
    var frames: [(range: Range<Int>, kind: UInt8, sequence: UInt64)] = []
    var offset = 8192
    while offset < committedEnd {
      let count = Int(number(offset + 4, 4))
      frames.append((offset..<offset + count, original[offset + 24], number(offset + 16, 8)))
      offset += count
    }
    return frames
  }

  /// Which keys may be other than they were when the byte at a place is: those of the record there, and of its batch.
  func affected(by place: Int) -> Set<String> {
    guard let frame = frames.first(where: { $0.range.contains(place) }), frame.kind != RecordKind.index.rawValue else { return [] }
    return Set(changed[frame.sequence] ?? [])
  }

  func put(_ bytes: [UInt8]) { directory.write(bytes, to: "a.kvlog") }

  func open(_ recovery: LogRecoveryPolicy = .report, system: SystemCalls = .live) throws(LogError) -> KeyValueLog {
    var options = LogOptions(key: key)
    options.recovery = recovery
    return try KeyValueLog(path: path, options: options, system: system)
  }

  /// What there is, looked at in both ways, has to be something that was written, and exactly what it was but for some keys.
  func problems(_ log: KeyValueLog, mayDiffer: Set<String>) throws(LogError) -> [String] {
    var found: [String: [UInt8]] = [:]
    var problems: [String] = []
    try log.forEach { entry throws(LogError) in
      if found.updateValue(entry.bytes, forKey: entry.key) != nil { problems.append("\(entry.key) twice") }
    }
    for (name, value) in found {
      if history[name]?.contains(value) != true { problems.append("\(name) was never that") }
      if !mayDiffer.contains(name), newest[name] != value { problems.append("\(name) is another") }
    }
    for name in newest.keys where found[name] == nil && !mayDiffer.contains(name) { problems.append("\(name) is gone") }
    for name in history.keys {
      let value: [UInt8]?
      do throws(LogError) { value = try log.bytes(forKey: name) } catch {
        guard case .corrupted = error, mayDiffer.contains(name) else { throw error }
        continue
      }
      if let value, history[name]?.contains(value) != true { problems.append("\(name) is got as what it never was") }
      if !mayDiffer.contains(name), value != newest[name] { problems.append("\(name) is got as another") }
    }
    return problems
  }
}
