import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct SchemaCodingTests {
  private func schemas() throws -> [TypeSchema] {
    let everything = try RowBench(Everything.self).schema
    let person = try RowBench(Person.self).schema
    return [
      everything, person, try person.droppingColumn("age").renamingColumn("lastName", to: "family").renamed(to: "Human"),
      try everything.replacingColumn(with: ModelDescription.of(Person.self).properties[1]),
    ]
  }

  @Test func whatIsWrittenIsRead() throws {
    for schema in try schemas() {
      let read = try schema.encoded.withRawSpan { try TypeSchema(decoding: $0) }
      #expect(read == schema)
      #expect(read.encoded == schema.encoded)
    }
  }

  @Test func damagedBytesThrowOrAreAnotherSchema() throws {
    let row = try RowBench(Person.self).bytes(Person(id: "1"))
    for schema in try schemas() {
      let bytes = schema.encoded
      for index in bytes.indices {
        #expect(throws: RowError.self) { try Array(bytes.prefix(index)).withRawSpan { try TypeSchema(decoding: $0) } }
        for mask: UInt8 in [1, 0x10, 0x80, 0xFF] {
          var damaged = bytes
          damaged[index] ^= mask
          guard let other = try? damaged.withRawSpan({ try TypeSchema(decoding: $0) }) else { continue }
          _ = row.withRawSpan { try? other.entries(in: $0) }
          #expect(try other.encoded.withRawSpan { try TypeSchema(decoding: $0) } == other)
        }
      }
    }
  }

  @Test func randomBytesAreRefused() {
    var random = SplitMix64(seed: 51)
    for _ in 0..<4_000 {
      let bytes =
        [1] + (0..<random.next() % 200).map { _ in random.next() % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next() % 24) }
      _ = bytes.withRawSpan { try? TypeSchema(decoding: $0) }
    }
  }

  @Test func depthIsBounded() throws {
    var inner = try TypeSchema(typeID: 0, name: "I", columns: [], layouts: [RowLayout(id: 1, columns: [] as [ColumnSchema])])
    for _ in 0..<40 {
      let column = ColumnSchema(id: 1, name: "c", kind: .list, element: .embedded, defaultValue: .list([]), fields: inner)
      inner = try TypeSchema(typeID: 0, name: "I", columns: [column], layouts: [RowLayout(id: 1, columns: [column])])
    }
    #expect(throws: RowError.damaged(reason: .schema)) { try inner.encoded.withRawSpan { try TypeSchema(decoding: $0) } }
  }

  @Test func contradictionsAreRefused() {
    let a = ColumnSchema(id: 1, name: "a", kind: .int64, defaultValue: .int(0))
    let b = ColumnSchema(id: 2, name: "b", kind: .list, element: .int8, defaultValue: .list([]))
    let layout = RowLayout(id: 1, columns: [a, b])
    func make(
      _ columns: [ColumnSchema], _ layouts: [RowLayout], indexes: [IndexSchema] = [], primaryKey: UInt16? = nil
    ) throws {
      _ = try TypeSchema(typeID: 1, name: "T", columns: columns, layouts: layouts, indexes: indexes, primaryKey: primaryKey)
    }
    #expect(throws: Never.self) { try make([a, b], [layout]) }
    let broken: [() throws -> Void] = [
      { try make([b, a], [layout]) }, { try make([a, a], [layout]) }, { try make([a, b], []) }, { try make([a], [layout]) },
      { try make([a, b], [layout, layout]) }, { try make([a, b], [layout], primaryKey: 2) },
      { try make([a, b], [layout], primaryKey: 3) },
      { try make([a, b], [layout], indexes: [IndexSchema(id: 1, columns: [], isUnique: false, name: "")]) },
      { try make([a, b], [layout], indexes: [IndexSchema(id: 1, columns: [9], isUnique: false, name: "")]) },
      { try make([ColumnSchema(id: 1, name: "a", kind: .int64)], [RowLayout(id: 1, columns: [a])]) },
      { try make([ColumnSchema(id: 1, name: "a", kind: .int64, defaultValue: .string(""))], [RowLayout(id: 1, columns: [a])]) },
      { try make([ColumnSchema(id: 1, name: "a", kind: .list, defaultValue: .list([]))], [RowLayout(id: 1, columns: [a])]) },
    ]
    for make in broken { #expect(throws: RowError.self) { try make() } }
  }
}
