import FoundationEssentials
import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct RowRoundTripTests {
  @Test func everyValueOfEveryKindComesBack() throws {
    let bench = try RowBench(Everything.self)
    var random = SplitMix64(seed: 1)
    for _ in 0..<150 {
      let object = random.everything()
      let read = try bench.roundTrip(object)
      let before = bench.model.storedValues(of: object)
      let after = bench.model.storedValues(of: read)
      for (property, (a, b)) in zip(bench.model.properties, zip(before, after)) { #expect(a == b, "\(property.name)") }
      #expect(try bench.changed(read).isEmpty)
    }
  }

  @Test func kvtoolReadsTheSameWithoutTheModel() throws {
    let bench = try RowBench(Everything.self)
    let schema = try bench.schema.encoded.withRawSpan { try TypeSchema(decoding: $0) }
    #expect(schema == bench.schema)
    var random = SplitMix64(seed: 2)
    for _ in 0..<60 {
      let object = random.everything()
      let bytes = try bench.bytes(object)
      let entries = try bytes.withRawSpan { try schema.entries(in: $0) }
      let expected = zip(bench.model.properties, bench.model.storedValues(of: object)).map { StoredValue.Entry($0.name, $1) }
      #expect(entries == expected)
      for column in schema.columns {
        let access = ColumnAccess(schema, column: column.id)
        let value = try bytes.withRawSpan { try access.value(in: $0) }
        #expect(value == entries.first { $0.name == column.name }?.value)
      }
    }
  }

  @Test func aRowMadeWithoutTheModelIsTheSame() throws {
    let bench = try RowBench(Everything.self)
    var random = SplitMix64(seed: 3)
    for _ in 0..<60 {
      let object = random.everything()
      let bytes = try bench.bytes(object)
      let entries = try bytes.withRawSpan { try bench.schema.entries(in: $0) }
      var made: [UInt8] = []
      #expect(bench.schema.append(entries, to: &made))
      #expect(made == bytes)
    }
  }

  @Test func datesAndNaNsKeepTheirBits() throws {
    let bench = try RowBench(Everything.self)
    for bits: UInt64 in [0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_0042, 0x8000_0000_0000_0000, 1] {
      var object = Everything()
      object.date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
      object.double = Double(bitPattern: bits)
      object.float = Float(bitPattern: 0x7F80_0001)
      let read = try bench.roundTrip(object)
      #expect(read.date.timeIntervalSinceReferenceDate.bitPattern == bits)
      #expect(read.double.bitPattern == bits)
      #expect(read.float.bitPattern == 0x7F80_0001)
    }
  }

  @Test func longValuesHaveWideEnds() throws {
    let bench = try RowBench(Everything.self)
    for byteCount in [65_000, 65_535, 65_536, 70_000, 1 << 20] {
      var object = Everything()
      object.text = String(repeating: "x", count: byteCount)
      object.anyData = Data(repeating: 7, count: 3)
      object.names = ["a", String(repeating: "y", count: byteCount)]
      let read = try bench.roundTrip(object)
      #expect(read.text == object.text)
      #expect(read.anyData == object.anyData)
      #expect(read.names == object.names)
    }
  }

  @Test func aModelOfTwelveFieldsIsReadFieldByField() throws {
    let bench = try RowBench(Person.self)
    let person = Person(
      id: "p", firstName: "Ada", lastName: "L", age: 36, height: 1.7, isActive: false,
      createdAt: Date(timeIntervalSinceReferenceDate: 1),
      updatedAt: nil, token: UUID(), status: .sent, nickname: "a", about: "x")
    let read = try bench.roundTrip(person)
    #expect(bench.model.storedValues(of: read) == bench.model.storedValues(of: person))
    #expect(bench.model.row(of: read)?.key == [1])
    #expect(bench.model.row(of: person) == nil)
    #expect(MemoryLayout<Persisted<String>>.size <= 16)
  }
}
