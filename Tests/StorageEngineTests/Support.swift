import Foundation
import RawMemory
import StorageEngine

/// The complete form of tests that are sampled otherwise.
let isLongRun = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"

typealias Contents = [[UInt8]: [UInt8]]

extension Tree {
  /// Everything in it, read forwards.
  func contents() throws(EngineError) -> Contents {
    var found: Contents = [:]
    var cursor = cursor()
    var isThere = try cursor.first()
    while isThere {
      found[cursor.key] = try cursor.withValue { value throws(EngineError) in value.copied() }
      isThere = try cursor.next()
    }
    return found
  }
}

extension EngineWriter {
  func put(_ key: [UInt8], _ value: [UInt8], in tree: String = "t") throws(EngineError) {
    try put(key.span.raw, value.span.raw, in: tree)
  }
  @discardableResult
  func delete(_ key: [UInt8], in tree: String = "t") throws(EngineError) -> Bool { try delete(key.span.raw, in: tree) }
  func put(_ key: String, _ value: [UInt8], in tree: String = "t") throws(EngineError) {
    try put(Array(key.utf8).span.raw, value.span.raw, in: tree)
  }
  @discardableResult
  func delete(_ key: String, in tree: String = "t") throws(EngineError) -> Bool { try delete(Array(key.utf8).span.raw, in: tree) }
}

extension Engine {
  /// One transaction, committed; aborted if `body` throws.
  @discardableResult
  func write(
    _ durability: EngineDurability = .powerLoss, _ body: (EngineWriter) throws(EngineError) -> Void
  ) throws(EngineError) -> TransactionID {
    let transaction = try begin()
    do throws(EngineError) { try body(transaction) } catch {
      transaction.abort()
      throw error
    }
    return try transaction.commit(durability)
  }
  func value(_ key: String, in tree: String = "t") throws(EngineError) -> [UInt8]? {
    try snapshot().tree(tree)?.value(forKey: Array(key.utf8).span.raw)
  }
}

/// Bytes that differ from one seed to the next.
func patterned(_ count: Int, _ seed: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ seed) }
}
