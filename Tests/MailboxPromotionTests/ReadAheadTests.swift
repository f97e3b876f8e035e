import MailboxLog
import Synchronization
import Testing

@testable import MailboxPromotion

@Suite struct ReadAheadTests {
  private static let segment = MailboxSegmentID(high: 7, low: 7)

  /// Entry `number`: fields or a payload, of a size that now and then is more than a block.
  private static func entry(_ number: Int) -> MailboxEntry {
    let byteCount = number % 97 == 96 ? ReadAhead.blockByteCount + 1 : number * 37 % 3_000
    return MailboxEntry(
      id: Array("id \(number)".utf8), encodedValue: Array(repeating: UInt8(truncatingIfNeeded: number), count: byteCount),
      hasFields: number % 3 == 0, schemaVersion: UInt32(number),
      position: MailboxPosition(segment: segment, sequence: UInt64(number)),
      appendedAt: LogTimestamp(millisecondsSince1970: Int64(number)))
  }

  private struct Failure: Error {}

  @Test func everyRecordComesOnceInOrderAndWhole() throws {
    let readAhead = ReadAhead { add in for number in 0..<1_000 { try add(Self.entry(number)) } }
    var next = 0
    try readAhead.forEach { entry in
      let expected = Self.entry(next)
      #expect(entry.id == "id \(next)")
      #expect(entry.encodedValue == expected.encodedValue)
      #expect(entry.hasFields == expected.hasFields && entry.schemaVersion == expected.schemaVersion)
      #expect(entry.position == expected.position && entry.appendedAt == expected.appendedAt)
      next += 1
    }
    #expect(next == 1_000)
  }

  @Test func nothingToReadIsNothing() throws {
    try ReadAhead { _ in }.forEach { _ in Issue.record("there is no record") }
  }

  /// Whatever the batch's length, the reading waits when it is three blocks ahead.
  @Test func theReadingStaysABoundedStretchAhead() throws {
    let readCount = Mutex(0)
    let readAhead = ReadAhead { add in
      for number in 0..<2_000 {
        try add(Self.entry(number))
        readCount.withLock { $0 += 1 }
      }
    }
    var usedCount = 0
    var mostAhead = 0
    try readAhead.forEach { entry in
      usedCount += 1
      mostAhead = max(mostAhead, readCount.withLock { $0 } - usedCount)
    }
    #expect(usedCount == 2_000)
    // Entries have 1,500 bytes on average.
    #expect(mostAhead < (ReadAhead.blockCount + 1) * ReadAhead.blockByteCount / 1_000)
  }

  @Test(arguments: [0, 1, 50, 999]) func aBodyThatThrowsEndsTheReadingFirst(_ last: Int) {
    let isReading = Mutex(true)
    let readAhead = ReadAhead { add in
      defer { isReading.withLock { $0 = false } }
      for number in 0..<1_000 { try add(Self.entry(number)) }
    }
    #expect(throws: Failure.self) {
      try readAhead.forEach { entry in if entry.position.sequence == UInt64(last) { throw Failure() } }
    }
    #expect(!isReading.withLock { $0 })
  }

  @Test func whatEndsTheReadingIsThrown() {
    let readAhead = ReadAhead { add in
      for number in 0..<300 { try add(Self.entry(number)) }
      throw LogError.noSpace
    }
    #expect(throws: LogError.noSpace) { try readAhead.forEach { _ in } }
  }

  /// More at once than the concurrency runtime has threads: each has one of its own to read on.
  @Test func manyAtOnceDoNotWaitForEachOther() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<32 {
        group.addTask {
          var count = 0
          try ReadAhead { add in for number in 0..<200 { try add(Self.entry(number)) } }.forEach { _ in count += 1 }
          return count
        }
      }
      for try await count in group { #expect(count == 200) }
    }
  }
}
