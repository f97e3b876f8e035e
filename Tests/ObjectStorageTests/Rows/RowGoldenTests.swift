import FoundationEssentials
import RawMemory
import Testing

@testable import ObjectStorage

private struct Small: StorageObject {
  @Persisted var id = 0
  @Persisted var name = ""
  @Persisted var age: UInt8?
  @Persisted var scores: List<Int16> = []
  @Persisted var note: String?
  @Persisted var words: List<String?> = []
  @Persisted var map: Map<String, Bool> = [:]
}

@Suite struct RowGoldenTests {
  /// A row of the first format: it must stay as it is.
  @Test func rowBytes() throws {
    let bench = try RowBench(Small.self)
    var object = Small()
    object.id = 258
    object.name = "Ada"
    object.scores = [1, -1]
    object.note = "x"
    object.words = ["a", nil]
    object.map = ["k": true]
    let expected = [
      "0100",  // layout 1, narrow
      "01",  // the first of two optional columns is nil
      "0201000000000000", "00",  // id, age
      "0300", "0b00", "0c00", "1a00", "2c00",  // ends
      "416461", "020000000100ffff", "78", "02000000" + "02" + "01000000" + "01000000" + "61",
      "09000000" + "01000000" + "01000000" + "6b" + "01000000" + "01",
    ]
    #expect(try bench.bytes(object).hexadecimal == expected.joined())
  }

  @Test func embeddedBytes() throws {
    let bench = try RowBench(WithAddress.self)
    var object = WithAddress()
    object.address.street = "B"
    object.address.number = 5
    // The struct is a row of its own, of its own layout.
    #expect(
      try bench.bytes(object).hexadecimal == "0100" + "1400" + "0100" + "00" + "0500000000000000" + "0100" + "0500" + "42"
        + "00000000")
  }

  @Test func decimalBytes() throws {
    var bytes: [UInt8] = []
    DecimalCoding.append(Decimal(string: "-12.5")!, to: &bytes)
    #expect(bytes.hexadecimal == "01ff7d000000000000000000000000000000")
    bytes = []
    DecimalCoding.append(.nan, to: &bytes)
    #expect(bytes.hexadecimal == "02" + String(repeating: "00", count: 17))
  }

  @Test func schemaBytes() throws {
    let bench = try RowBench(Keyed.self)
    let expected = [
      "01", "07000000", "05004b65796564", "0100", "02000000",  // form, type id, name, primary key, next index id
      "0200",  // columns
      "0100", "02006964", "0d", "10", "00", "00000000",  // id: a string, with the default ""
      "0200", "0100" + "6e", "05", "01", "00",  // n: an optional Int, without
      "0100", "0100", "0200", "010000", "020001",  // one layout
      "0100", "01000000", "00", "0700" + "4b657965642e6e", "0100", "0200",  // one index
    ]
    #expect(bench.schema.encoded.hexadecimal == expected.joined())
  }
}

private struct WithAddress: StorageObject {
  @Persisted var address = Address()
}
private struct Keyed: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var n: Int?
}
