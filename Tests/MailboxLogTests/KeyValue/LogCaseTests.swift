import Foundation
import MailboxLog
import TestSupport
import Testing

#if DEBUG
  @testable import StorageIO
#else
  import StorageIO
#endif

/// Faults that users of comparable stores have met, by their numbers.
@Suite struct LogCaseTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path(of: "a.kvlog") }
  private func open(_ key: EncryptionKey? = nil) throws -> KeyValueLog {
    try KeyValueLog(path: path, options: LogOptions(key: key))
  }
  private static let keys: [EncryptionKey?] = [nil, .random()]

  @Test("B004: of a batch of five all count or none, whichever is damaged, and it is reported", arguments: [false, true])
  func b004(isSealed: Bool) throws {
    let key = isSealed ? EncryptionKey.random() : nil
    let log = try open(key)
    try log.set("before", forKey: "a")
    let start = try log.statistics().fileByteCount
    try log.update { batch in for number in 0..<5 { batch.set("value \(number)", forKey: "b\(number)") } }
    let end = try log.statistics().fileByteCount
    log.close()
    let original = directory.contents("a.kvlog")!
    let length = Int(end - start) / 5
    let ways: [(inout [UInt8], Int) -> Void] = [
      { bytes, at in for index in at..<at + length { bytes[index] = 0 } },
      { bytes, at in
        let first = Array(bytes[at..<at + length])
        bytes.replaceSubrange(at..<at + length, with: bytes[at - length..<at])
        bytes.replaceSubrange(at - length..<at, with: first)
      },
      { bytes, at in bytes.removeSubrange(at...) },
    ]
    for record in 1...3 {
      for damage in ways {
        var bytes = original
        damage(&bytes, Int(start) + record * length)
        directory.write(bytes, to: "a.kvlog")
        let log = try open(key)
        #expect(try log.keys() == ["a"])
        let report = try log.verify()
        #expect(!report.isEmpty || bytes.count < original.count)
      }
    }
  }

  @Test(
    "B010: 23 KB after another process has removed everything and compacted, five hundred times both ways",
    arguments: [false, true])
  func b010(isSealed: Bool) throws {
    let key = isSealed ? EncryptionKey.random() : nil
    var logs = [try open(key), try open(key)]
    for round in 0..<(LogUnderTest.isLong ? 500 : 60) {
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 23 << 10)
      try logs[0].set(1, forKey: "small")
      try logs[1].removeAll()
      try logs[1].compact()
      try logs[0].set(value, forKey: "large")
      for log in logs { #expect(try log.bytes(forKey: "large") == value && !log.contains("small")) }
      logs.swapAt(0, 1)
    }
  }

  @Test("B016: an end that lies, and lengths that lie: an error or a clean recovery, and every key that is listed is an original")
  func b016() throws {
    let log = try open()
    for number in 0..<20 { try log.set("value \(number)", forKey: "key-\(number)") }
    let start = 8192
    let length = (Int(try log.statistics().fileByteCount) - start) / 20
    log.close()
    let original = directory.contents("a.kvlog")!
    for record in 0..<20 {
      for field in [4, 28, 32] {
        for value: UInt32 in [0, 1, 99, 0x7FFF_FFFF, 0xFFFF_FFFF] {
          var bytes = original
          for index in 0..<4 {
            bytes[start + record * length + field + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))
          }
          directory.write(bytes, to: "a.kvlog")
          let found = Set(try open().keys())
          #expect(found == Set((0..<20).filter { $0 != record }.map { "key-\($0)" }))
        }
      }
    }
  }

  @Test("B019: one key and one value ten thousand times, over compactions, openings and two handles: no block of ciphertext twice")
  func b019() throws {
    let key = EncryptionKey.random()
    var blocks: Set<[UInt8]> = []
    var count = 0
    let value = [UInt8](repeating: 1, count: 64)
    func look() {
      let bytes = directory.contents("a.kvlog")!
      var offset = 8192
      func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
      while offset + 120 < bytes.count, number(offset + 4) > 0 {
        if bytes[offset + 24] == 2 {
          let body = offset + 120
          for start in stride(from: body, through: body + number(offset + 28) + number(offset + 32) - 16, by: 16) {
            count += 1
            blocks.insert(Array(bytes[start..<start + 16]))
          }
        }
        offset += number(offset + 4)
      }
    }
    for _ in 0..<10 {
      let logs = [try open(key), try open(key)]
      for round in 0..<(LogUnderTest.isLong ? 1_000 : 100) { try logs[round % 2].set(value, forKey: "key") }
      look()
      try logs[0].compact()
      logs[1].close()
      _ = try open(key).removeValue(forKey: "key")
      try open(key).compact()
    }
    #expect(blocks.count == count && count >= 4_000)
  }

  @Test("B050: what is empty is a value; an empty key is none", arguments: keys) func b050(key: EncryptionKey?) throws {
    let log = try open(key)
    try log.set([UInt8](), forKey: "bytes")
    try log.set("", forKey: "string")
    try log.set(false, forKey: "bool")
    try log.set(0, forKey: "int")
    let size = try log.statistics().fileByteCount
    #expect(throws: LogError.invalidKey) { try log.set(1, forKey: "") }
    #expect(throws: LogError.invalidKey) { try log.update { $0.set(1, forKey: "") } }
    #expect(throws: LogError.invalidKey) { _ = try log.contains("") }
    #expect(try log.statistics().fileByteCount == size)
    let other = try open(key)
    #expect(try other.bytes(forKey: "bytes") == [] && other.string(forKey: "string") == "" && other.bool(forKey: "bool") == false)
    #expect(try other.int(forKey: "int") == 0 && other.count == 4)
    for name in ["bytes", "string", "bool", "int"] {
      #expect(try other.contains(name))
      #expect(try other.removeValue(forKey: name) && !log.contains(name) && log.type(forKey: name) == nil)
    }
  }

  @Test("B052: values of every length; only a key over its limit is too large", arguments: keys) func b052(key: EncryptionKey?)
    throws
  {
    let log = try open(key)
    for count in [0, 1, 127, 128, 2_000, 16_383, 16_384, 65_535, 65_536, 1 << 20] {
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
      try log.set(value, forKey: "k")
      #expect(try open(key).bytes(forKey: "k") == value)
    }
    let limit = String(repeating: "k", count: 1_024)
    try log.set(1, forKey: limit)
    #expect(try log.int(forKey: limit) == 1)
    #expect(throws: LogError.keyTooLarge(byteCount: 1_025, limit: 1_024)) { try log.set(1, forKey: limit + "k") }
    #expect(throws: LogError.recordTooLarge(byteCount: 16 << 20 | 1, limit: 16 << 20)) {
      try log.set([UInt8](repeating: 0, count: 16 << 20), forKey: "k")
    }
    #expect(try log.count == 2)
  }

  @Test("B066: a backup is restored under two open handles, and one writes on", arguments: keys) func b066(key: EncryptionKey?)
    throws
  {
    let (first, second) = (try open(key), try open(key))
    try first.set("old", forKey: "a")
    try first.backup(to: directory.path(of: "copy.kvlog"))
    try first.set("new", forKey: "a")
    try second.set("unsaved", forKey: "b")
    try KeyValueLog.restore(from: directory.path(of: "copy.kvlog"), to: path)
    try first.set("x", forKey: "x")
    for log in [first, second, try open(key)] {
      #expect(try log.string(forKey: "a") == "old" && log.string(forKey: "x") == "x" && log.keys().sorted() == ["a", "x"])
    }
  }
}

#if DEBUG
  /// Cases that need a clock or a kernel of their own.
  @Suite struct LogKernelCaseTests {
    @Test("B005: a durable set has synced when it returns, another one syncs nothing", arguments: [false, true])
    func b005(isDurable: Bool) throws {
      let kernel = CrashKernel()
      var options = LogOptions()
      options.durability = isDurable ? .powerLoss : .processCrash
      let log = try KeyValueLog(path: "/a.kvlog", options: options, system: kernel.process())
      try log.set(1, forKey: "a")
      kernel.resetCounts()
      try log.set(2, forKey: "a")
      #expect(kernel.callCount(.synchronizeData) == (isDurable ? 1 : 0))
      let image = kernel.crashImage(.nothing)
      let after = try? KeyValueLog(path: "/a.kvlog", options: options, system: image.process()).int(forKey: "a")
      if isDurable { #expect(after == 2) }
    }

    @Test("B064: an expired key is gone for get, contains, keys, count and iteration at one moment, in two processes")
    func b064() throws {
      let kernel = CrashKernel()
      let logs = try (0..<2).map { _ in try KeyValueLog(path: "/a.kvlog", options: LogOptions(), system: kernel.process()) }
      try logs[0].set(1, forKey: "mortal", expiresAfter: .seconds(1))
      try logs[0].set(2, forKey: "other")
      var isThere = true
      for _ in 0..<200 {
        var answers: Set<Bool> = []
        for log in logs {
          answers.insert(try log.int(forKey: "mortal") != nil)
          answers.insert(try log.contains("mortal"))
          answers.insert(try log.keys().contains("mortal"))
          answers.insert(try log.count == 2)
          answers.insert(try log.type(forKey: "mortal") != nil)
          var isIterated = false
          try log.forEach { if $0.key == "mortal" { isIterated = true } }
          answers.insert(isIterated)
        }
        #expect(answers.count == 1)
        if answers.first == true { #expect(isThere) } else { isThere = false }
        kernel.step(.milliseconds(10))
      }
      #expect(!isThere)
      try logs[0].compact()
      #expect(try logs[1].statistics().recordCount == 1)
    }

    @Test("B033: of 6,860 keys 6,500 are removed and the log compacted", arguments: [false, true]) func b033(isSealed: Bool) throws
    {
      let directory = TemporaryDirectory()
      let calls = ShiftedCalls()
      let key = isSealed ? EncryptionKey.random() : nil
      let log = try KeyValueLog(path: directory.path(of: "a.kvlog"), options: LogOptions(key: key), system: calls)
      let value = [UInt8](repeating: 3, count: 1024)
      for start in stride(from: 0, to: 6_860, by: 980) {
        try log.update { batch in for number in start..<start + 980 { batch.set(value, forKey: "k\(number)") } }
      }
      try log.update { batch in for number in 0..<6_500 { batch.removeValue(forKey: "k\(number)") } }
      // Removals are kept for who listens to changes.
      calls.shift = 11_000_000
      try log.compact()
      let statistics = try log.statistics()
      #expect(statistics.keyCount == 360 && statistics.fileByteCount <= 2 * statistics.liveByteCount)
      for number in 6_500..<6_860 { #expect(try log.bytes(forKey: "k\(number)") == value) }
    }
  }

  /// The real calls, with a clock that a test sets.
  private final class ShiftedCalls: SystemCalls, @unchecked Sendable {
    /// Microseconds.
    var shift: Int64 = 0
    override func realtimeMicroseconds() -> Int64 { super.realtimeMicroseconds() + shift }
  }
#endif
