import MailboxLog
import TestSupport
import Testing

/// What a handle knows of a file, it knows of the compacted one too: no more and no less than is true.
@Suite struct LogInheritanceTests {
  /// How many writes leave an index behind.
  private static func indexed(_ isSealed: Bool) -> Int { isSealed ? 1024 : 4096 }

  @Test("A handle that has met some keys loses no other in a compaction", arguments: [false, true], [40, 64, 65, 300])
  func partlyKnown(isSealed: Bool, keyCount: Int) throws {
    let directory = TemporaryDirectory()
    let options = LogOptions(key: isSealed ? .random() : nil)
    let path = directory.path(of: "a.kvlog")
    let first = try KeyValueLog(path: path, options: options)
    // Large enough that the file isn't compacted before it has an index.
    let value = String(repeating: "v", count: isSealed ? 100 : 2000)
    for number in 0..<keyCount { try first.set(value, forKey: "n\(number)") }
    for number in keyCount..<Self.indexed(isSealed) { try first.set(number, forKey: "n\(number % 3)") }
    first.close()

    let log = try KeyValueLog(path: path, options: options)
    for round in 0..<3 {
      try log.set(round, forKey: "n0")
      #expect(try log.int(forKey: "n1") != nil)
      try log.compact()
      for number in 3..<keyCount where number % 3 == round { #expect(try log.string(forKey: "n\(number)") == value) }
      #expect(try log.int(forKey: "n0") == round && log.count == keyCount)
    }
    log.close()
    let fresh = try KeyValueLog(path: path, options: options)
    for number in 3..<keyCount { #expect(try fresh.string(forKey: "n\(number)") == value) }
    #expect(try fresh.count == keyCount)
  }
}
