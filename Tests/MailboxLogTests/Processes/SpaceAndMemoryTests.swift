import Foundation
import MailboxLog
import TestSupport
import Testing

/// What a process pays, and what it does when there is no room.
@Suite(.serialized) struct SpaceAndMemoryTests {
  @Test(
    "B009: a limit on file sizes is noSpace, never a signal, and nothing is lost", arguments: ["default", "ignored"],
    [[], ["--unsynced"], ["--unmapped"]])
  func b009(disposition: String, options: [String]) throws {
    #expect(try MailboxUnderTest().run("size-limit", [disposition], options).hasPrefix("ok "))
  }

  @Test("B030: opening, appending one and closing cost the same at 10 and at 100,000 records, within 3 MiB and 300 ms")
  func b030() throws {
    let mailbox = MailboxUnderTest()
    #expect(try Self.callCounts(mailbox, count: 10) == Self.callCounts(mailbox, count: 100_000))
    let options = ["--address-space", "\(256 << 20)"]
    func measured(_ what: String) throws -> [Int] {
      try mailbox.run("memory", [what], options).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }
    // The least of five: what else runs on the machine makes only more of it.
    var best = [Int.max, Int.max]
    for _ in 0..<5 {
      let (idle, working) = try (measured("idle"), measured("append"))
      #expect(idle.count == 4 && working.count == 4)
      best = [min(best[0], working[0]), min(best[1], working[1] - idle[1])]
    }
    #expect(best[0] <= 300_000, "\(best[0]) us")
    #expect(best[1] <= 3072, "\(best[1]) KiB")
  }

  /// The calls of a writer that opens, appends once and closes, after the mailbox has been filled up to `count` records.
  private static func callCounts(_ mailbox: MailboxUnderTest, count: Int) throws -> [String: Int] {
    let batch = min(count, 1000)
    try mailbox.run("append", ["\(count)-", "\(count)"], ["--unsynced", "--batch", "\(batch)"])
    #if DEBUG
      let calls = CountingCalls()
      var options = LogOptions(key: try EncryptionKey([UInt8](repeating: 0x3C, count: 32)))
      options.durability = .processCrash
      let writer = try MailboxWriter(directory: mailbox.path, options: options, system: calls)
      try writer.append(id: "one", payload: ProcessHandles.payload(of: "one", byteCount: 100))
      writer.close()
      return Dictionary(uniqueKeysWithValues: calls.callCounts.map { ("\($0)", $1) })
    #else
      return [:]
    #endif
  }

  @Test(
    "B031: deliveries in one process, two thousand or a hundred thousand, leave no memory, no descriptor and no mapping behind",
    arguments: [[], ["--unmapped"]])
  func b031(options: [String]) throws {
    let count = MailboxUnderTest.isLong ? 100_000 : 2000
    let output = try MailboxUnderTest().run("open-append-close", ["\(count)"], options + ["--unsynced"])
    let numbers = output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    try #require(numbers.count == 2)
    let (early, late) = (numbers[0], numbers[1])
    // A rotation, far behind the first hundred, maps in its code.
    #expect(late[0] - early[0] <= 64, "KiB of resident memory: \(early[0]), \(late[0])")
    #expect(late[1] == early[1], "descriptors")
    #expect(late[2] == early[2], "mappings")
  }
}
