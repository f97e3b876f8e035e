import Foundation
import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// A store of its own, and the processes that work on it.
final class StoreUnderTest {
  let place = TemporaryDirectory()
  let isSealed: Bool
  var path: String { place.path(of: "a.store") }
  var key: String { isSealed ? "7" : "plain" }

  init(isSealed: Bool) { self.isSealed = isSealed }

  var options: EngineOptions {
    var options = EngineOptions()
    options.pageByteCount = 1024
    options.pageCacheByteCountMax = 64 << 10
    if isSealed {
      let bytes = [UInt8](repeating: 7, count: 32)
      options.key = .secret(SecretBytes(copying: bytes.span))
    }
    return options
  }

  func open() throws(EngineError) -> Engine { try Engine.open(path: path, options: options) }
  func start(_ command: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess("storage-worker", ["store", command, path, key] + arguments, input: nil)
  }

  /// The number that every entry of the newest version has.
  func number(_ engine: Engine) throws(EngineError) -> Int? {
    let contents = try engine.snapshot().tree("t")?.contents() ?? [:]
    let numbers = Set(contents.values.map { String(decoding: $0.prefix { $0 != 32 }, as: UTF8.self) })
    if numbers.count > 1 { Issue.record("a mixture of \(numbers)") }
    return numbers.first.flatMap { Int($0) }
  }

  /// The last number that a writer said, in a whole line.
  static func acknowledged(_ output: String) -> Int {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { Int($0) }.last ?? 0
  }
}
