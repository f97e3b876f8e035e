import Foundation
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// Valid bytes in the wrong place: swapped, copied, or older than what they replace.
@Suite struct ReplacedTests {
  @Test(arguments: [false, true]) func swappedRecordsAreNeverTakenForEachOther(isEncrypted: Bool) throws {
    let bench = try SegmentBench(isEncrypted: isEncrypted) { writer in
      for i in 1...20 { try writer.append(id: "e\(100 + i)", payload: [UInt8](repeating: UInt8(i), count: 40)) }
    }
    for first in 1...19 {
      for second in stride(from: first + 1, through: 20, by: 4) {
        let (a, b) = (try #require(bench.frames[UInt64(first)]), try #require(bench.frames[UInt64(second)]))
        var bytes = bench.original
        bytes.replaceSubrange(a, with: bench.original[b])
        bytes.replaceSubrange(b, with: bench.original[a])
        try bench.put(bytes)
        bench.expect(try bench.read(), lost: [UInt64(first), UInt64(second)], "\(first) and \(second)")
      }
    }
  }

  @Test(arguments: [false, true]) func aRecordOfAnotherFileIsNone(isEncrypted: Bool) throws {
    func make() throws -> SegmentBench {
      try SegmentBench(isEncrypted: isEncrypted) { writer in
        for i in 1...6 { try writer.append(id: "e\(i)", payload: [UInt8](repeating: UInt8(i), count: 40)) }
      }
    }
    let (bench, other) = (try make(), try make())
    let range = try #require(bench.frames[3])
    #expect(other.frames[3] == range)
    var bytes = bench.original
    bytes.replaceSubrange(range, with: other.original[range])
    try bench.put(bytes)
    bench.expect(try bench.read(), lost: [3], "record of another file")
    for word in SegmentLayout.Word.allCases {
      bytes = bench.original
      bytes.replaceSubrange(Int(word.offset)..<Int(word.offset) + 8, with: other.original[Int(word.offset)..<Int(word.offset) + 8])
      try bench.put(bytes)
      bench.expect(try bench.read(), lost: [], "word \(word.name) of another file")
    }
  }

  /// What the format states: an older block that is put back isn't told from the block that it replaces. What comes out is still right
  /// as far as it goes: entries that were there then, none altered, and no part of a batch.
  @Test(arguments: [false, true]) func anOlderBlockCutsOrDelivesAgain(isEncrypted: Bool) throws {
    var older: [[UInt8]] = []
    let place = TemporaryDirectory()
    let bench = try SegmentBench(isEncrypted: isEncrypted, acknowledged: [1, 2, 3]) { writer in
      for round in 0..<8 {
        try writer.append(id: "single\(round)", payload: [UInt8](repeating: UInt8(round), count: 700))
        try writer.appendBatch { batch in
          for i in 1...3 { batch.append(id: "b\(round):\(i)", payload: [UInt8](repeating: UInt8(i), count: 200 * i)) }
        }
        older.append(try #require(FileManager.default.contents(atPath: writer.directory + "/00000001.segment")).map { $0 })
      }
    }
    withExtendedLifetime(place) {}
    for old in older {
      for block in 0..<(bench.committedEnd + 4095) / 4096 {
        var bytes = bench.original
        bytes.replaceSubrange(block * 4096..<block * 4096 + 4096, with: old[block * 4096..<block * 4096 + 4096])
        try bench.put(bytes)
        let outcome = try bench.read()
        bench.expectRight(outcome, "block \(block)")
        // Data that is older than the words say is damage; words that are older than the data cut the tail.
        if block >= 2, bytes != bench.original {
          #expect(!outcome.damage.isEmpty || outcome.delivered.count == bench.pending.count)
        }
        if block == 1 { #expect(outcome.damage.isEmpty) }
      }
    }
  }

  /// A record that was written and never published, put back over the one that was written there next.
  @Test(arguments: [false, true]) func anUnpublishedRecordPutBackIsOneOfTheTwo(isEncrypted: Bool) throws {
    var unpublished: [UInt8] = []
    let bench = try SegmentBench(isEncrypted: isEncrypted) { writer in
      let path = writer.directory + "/00000001.segment"
      try writer.append(id: "a", payload: [1])
      let before = try #require(FileManager.default.contents(atPath: path))
      try writer.append(id: "x", payload: [7, 7, 7])
      unpublished = try #require(FileManager.default.contents(atPath: path)).map { $0 }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try file.write(contentsOf: before)
      try file.close()
      try writer.append(id: "y", payload: [8, 8, 8])
      try writer.append(id: "z", payload: [9])
    }
    let range = try #require(bench.frames[2])
    #expect(bench.known[2]?.id == "y")
    var bytes = bench.original
    bytes.replaceSubrange(range, with: unpublished[range])
    try bench.put(bytes)
    let outcome = try bench.read()
    #expect(outcome.delivered[1]?.id == "a" && outcome.delivered[3]?.id == "z")
    let second = try #require(outcome.delivered[2])
    #expect(second.id == "x" && second.value == [7, 7, 7])
  }
}
