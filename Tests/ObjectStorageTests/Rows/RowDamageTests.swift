import FoundationEssentials
import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

/// A damaged row is refused, or is another row: reading it never traps.
@Suite struct RowDamageTests {
  private func touch(_ bytes: [UInt8], _ bench: RowBench<Everything>) {
    if let object = try? bench.read(bytes) {
      _ = bench.model.storedValues(of: object)
      for address in object.addresses { _ = address.street }
      _ = try? bench.bytes(object)
    }
    _ = bytes.withRawSpan { bytes in try? bench.schema.entries(in: bytes) }
    for column in bench.schema.columns {
      _ = bytes.withRawSpan { try? ColumnAccess(bench.schema, column: column.id).value(in: $0) }
    }
  }

  @Test func everyByteFlipped() throws {
    let bench = try RowBench(Everything.self)
    var random = SplitMix64(seed: 21)
    for _ in 0..<2 {
      let bytes = try bench.bytes(random.everything())
      for index in bytes.indices {
        for mask: UInt8 in [1, 0x80] {
          var damaged = bytes
          damaged[index] ^= mask
          touch(damaged, bench)
        }
      }
    }
  }

  @Test func everyTruncationAndExtensionIsRefused() throws {
    let bench = try RowBench(Everything.self)
    var random = SplitMix64(seed: 22)
    let bytes = try bench.bytes(random.everything())
    for count in bytes.indices {
      let short = Array(bytes.prefix(count))
      #expect(throws: RowError.self) { try bench.read(short) }
      touch(short, bench)
    }
    #expect(throws: RowError.self) { try bench.read(bytes + [0]) }
  }

  @Test func randomBytes() throws {
    let bench = try RowBench(Everything.self)
    var random = SplitMix64(seed: 23)
    for _ in 0..<500 {
      var bytes: [UInt8] = [1, random.next() % 2 == 0 ? 0 : 0x80]
      for _ in 0..<random.next() % 400 { bytes.append(random.next() % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())) }
      touch(bytes, bench)
    }
  }

  @Test func countsAreNotBelieved() throws {
    let bench = try RowBench(Everything.self)
    var object = Everything()
    object.scores = [1, 2, 3]
    let bytes = try bench.bytes(object)
    let access = ColumnAccess(bench.schema, column: bench.schema.column(named: "scores")!.id)
    guard case .variable(let range) = try bytes.withRawSpan({ try access.field(in: $0) }) else {
      throw RowError.damaged(reason: .value)
    }
    for count: UInt32 in [0, 2, 4, 0x2000_0003, .max] {
      var damaged = bytes
      damaged.store(littleEndian: count, at: range.lowerBound)
      #expect(throws: RowError.damaged(reason: .count)) { try bench.read(damaged) }
    }
  }

  @Test func anUnknownLayoutIsRefused() throws {
    let bench = try RowBench(Everything.self)
    var bytes = try bench.bytes(Everything())
    bytes[0] = 2
    #expect(throws: RowError.damaged(reason: .unknownLayout)) { try bench.read(bytes) }
    bytes[0] = 0
    #expect(throws: RowError.damaged(reason: .unknownLayout)) { try bench.read(bytes) }
  }
}
