import RawMemory
import StorageEngine

/// What each version of a store holds that workers write: its number in every entry, so that a mixture of two versions shows.
enum StoreContents {
  static let entryCount = 60

  static func write(_ number: Int, _ transaction: EngineWriter) throws(EngineError) {
    for index in 0..<entryCount {
      let value = value(number, index)
      try transaction.put(Array("key \(index)".utf8).span.raw, value.span.raw, in: "t")
    }
  }

  static func value(_ number: Int, _ index: Int) -> [UInt8] {
    // Some long, of lengths that change, so that pages are split and merged.
    let count = index % 20 == 0 ? 2000 : 20 + abs(number &+ index) % 90
    return Array("\(number) ".utf8) + [UInt8](repeating: UInt8(truncatingIfNeeded: number &+ index), count: count)
  }

  /// Reads a whole version. - Returns: its number; 0 of an empty store.
  static func number(_ snapshot: Snapshot) throws -> Int {
    guard let tree = try snapshot.tree("t") else { return 0 }
    var number: Int?
    var count = 0
    var cursor = tree.cursor()
    var isThere = try cursor.first()
    while isThere {
      let found = try cursor.withValue { value throws(EngineError) in value.copied() }
      let text = String(decoding: found.prefix { $0 != 32 }, as: UTF8.self)
      guard let own = Int(text) else { throw WorkerFailure(reason: "a value without a number") }
      if let number, number != own { throw WorkerFailure(reason: "\(own) beside \(number)") }
      number = own
      let key = cursor.withKey { $0.decodedString() }
      guard let index = Int(key.dropFirst(4)), found == value(own, index) else {
        throw WorkerFailure(reason: "another value of \(key)")
      }
      count += 1
      isThere = try cursor.next()
    }
    guard count == entryCount, tree.count == UInt64(count), let number else { throw WorkerFailure(reason: "\(count) entries") }
    return number
  }
}
