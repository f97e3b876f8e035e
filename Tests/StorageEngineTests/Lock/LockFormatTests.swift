import TestSupport
import Testing

@testable import StorageEngine

/// The words of a lock file.
@Suite struct LockFormatTests {
  private typealias Header = LockLayout.Header
  private typealias Table = LockLayout.Table
  private typealias Slot = LockLayout.Slot

  @Test func words() {
    let header = [
      Header.magic, Header.version, Header.chunkByteCount, Header.bootIdentity, Header.table, Header.end, Header.bell,
      Header.reserved,
    ]
    #expect(header == [0, 8, 16, 24, 32, 40, 48, 56])
    #expect(LockLayout.Chunk.next == 64 && LockLayout.Chunk.reserved == 72 && LockLayout.Chunk.slots == 1024)
    #expect([Table.published, Table.durable, Table.transaction, Table.fileID] == [128, 192, 256, 320])
    #expect([Table.successorID, Table.generation, Table.extra, Table.reserved] == [328, 336, 384, 640])
    #expect(Table.extra + Table.extraCount * Table.extraStride == Table.reserved)
    #expect([Slot.owner, Slot.image, Slot.start, Slot.version, Slot.since, Slot.reserved] == [0, 8, 16, 24, 32, 40])
    #expect(Slot.byteCount == 64)
    #expect(LockLayout.slotCount(chunkByteCount: LockLayout.chunkByteCountMin) == 240)
    #expect(LockLayout.slotCount(chunkByteCount: 65_536) == 1008)
    #expect("ANTELOCK".utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) } == LockLayout.magic)
  }

  @Test func aNewFile() throws {
    let bench = LockBench()
    let file = try bench.open()
    #expect(bench.kernel.contents(LockBench.path)?.count == LockBench.chunk)
    #expect(bench.word(Header.magic) == LockLayout.magic && bench.word(Header.version) == 1)
    #expect(bench.word(Header.chunkByteCount) == UInt64(LockBench.chunk) && bench.word(Header.end) == UInt64(LockBench.chunk))
    #expect(bench.word(Header.bootIdentity) == bench.kernel.bootIdentity() && bench.word(Header.table) == 0)
    #expect(bench.word(Table.published) == 10 && bench.word(Table.durable) == 9)
    #expect(bench.word(Table.transaction) == 12 + 1 << 32 && bench.word(Table.fileID) == 7)
    #expect(bench.takenCount == 0)
    let slot = try #require(try file.register(10))
    let facts = bench.kernel.facts
    let owner = bench.slot(0, Slot.owner)
    #expect(owner >> 32 == facts.namespace && owner >> 10 & 0x3F_FFFF == UInt64(facts.identity))
    #expect(bench.slot(0, Slot.start) == facts.startTime && bench.slot(0, Slot.image) != 0)
    #expect(bench.slot(0, Slot.version) == 11 && bench.slot(0, Slot.since) == bench.kernel.monotonicNanoseconds())
    file.unregister(slot)
    #expect(bench.slot(0, Slot.version) == 0)
    // What is reserved is zero.
    let bytes = try #require(bench.kernel.contents(LockBench.path))
    for range in [56..<64, 72..<128, 136..<192, 200..<256, 264..<320, 328..<1024, 1064..<1088, 1088..<bytes.count] {
      #expect(bytes[range].allSatisfy { $0 == 0 })
    }
  }

  @Test func ownersAreToldApart() {
    func word(_ process: Int32, _ namespace: UInt64, _ start: UInt64?) -> UInt64 {
      LockOwner(process: process, namespace: namespace, startTime: start, image: 0).word
    }
    let words = [
      word(1, 0xEFFF_FFFC, nil), word(2, 0xEFFF_FFFC, nil), word(1, 0xF000_0001, nil), word(1, 0xEFFF_FFFC, 5),
      word(1, 0xEFFF_FFFC, 6), word(4_194_303, 0xEFFF_FFFC, 5),
    ]
    #expect(Set(words).count == words.count && !words.contains(0))
    #expect(LockOwner.process(words[5]) == 4_194_303 && LockOwner.namespace(words[5]) == 0xEFFF_FFFC)
    // What doesn't fit can't be judged, and isn't a free slot.
    for (process, namespace) in [(Int32(1 << 22), UInt64(1)), (0, 1), (5, 1 << 32)] {
      let owner = word(process, namespace, nil)
      #expect(owner != 0 && LockOwner.namespace(owner) == 0)
    }
  }
}
