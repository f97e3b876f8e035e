import FoundationEssentials
import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct KeyCodingTests {
  private func key(_ value: StoredValue, _ kind: ColumnKind) -> [UInt8] {
    var key: [UInt8] = []
    #expect(KeyCoding.append(value, kind: kind, isOptional: true, to: &key))
    return key
  }

  private func check<T>(_ a: T?, _ b: T?, _ kind: ColumnKind, _ stored: (T) -> StoredValue, _ areInOrder: (T, T) -> Bool) {
    let keyA = key(a.map(stored) ?? .null, kind)
    let keyB = key(b.map(stored) ?? .null, kind)
    let expected: (below: Bool, equal: Bool)
    switch (a, b) {
    case (nil, nil): expected = (false, true)
    case (nil, _): expected = (true, false)
    case (_, nil): expected = (false, false)
    case (let a?, let b?): expected = (areInOrder(a, b), !areInOrder(a, b) && !areInOrder(b, a))
    }
    #expect(keyA.lexicographicallyPrecedes(keyB) == expected.below, "\(String(describing: a)) \(String(describing: b))")
    #expect((keyA == keyB) == expected.equal, "\(String(describing: a)) \(String(describing: b))")
    if keyA != keyB { #expect(!keyB.starts(with: keyA), "one key must not be the beginning of another") }
  }

  private func numberOrder(_ a: Double, _ b: Double) -> Bool { a.isNaN ? false : b.isNaN ? true : a < b }
  private func bytesOrder(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

  @Test func orderOfKeysIsOrderOfValues() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<3_000 {
      check(random.maybe(random.integer() as Int64), random.maybe(random.integer()), .int64, { .int($0) }, <)
      check(random.maybe(random.integer() as UInt64), random.maybe(random.integer()), .uint64, { .uint($0) }, <)
      check(random.maybe(Int64(random.integer() as Int8)), random.maybe(Int64(random.integer() as Int8)), .int8, { .int($0) }, <)
      check(random.maybe(random.double()), random.maybe(random.double()), .double, { .double($0) }, numberOrder)
      check(random.maybe(random.double()), random.maybe(random.double()), .date, { .date($0) }, numberOrder)
      check(random.maybe(random.text()), random.maybe(random.text()), .string, { .string($0) }) {
        KeyCoding.normalizedUTF8($0).lexicographicallyPrecedes(KeyCoding.normalizedUTF8($1))
      }
      check(random.maybe(random.bytes()), random.maybe(random.bytes()), .data, { .data($0) }, bytesOrder)
      check(
        random.maybe(random.uuid().uuidString), random.maybe(random.uuid().uuidString), .uuid, { .uuid(UUID(uuidString: $0)!) }, <)
    }
    check(false, true, .bool, { .bool($0) }) { !$0 && $1 }
    check(nil, false, .bool, { .bool($0) }) { !$0 && $1 }
  }

  @Test func decimalsOfDifferentExponentsAreOrdered() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<3_000 {
      check(random.decimal(), random.decimal(), .decimal, { .decimal($0) }) { $0.isNaN ? false : $1.isNaN ? true : $0 < $1 }
    }
    for (a, b) in [("0.1", "0.10"), ("100", "1e2"), ("-0.001", "-1e-3"), ("1", "1.0")] {
      #expect(key(.decimal(Decimal(string: a)!), .decimal) == key(.decimal(Decimal(string: b)!), .decimal))
    }
  }

  @Test func canonicallyEqualTextIsOneKey() {
    for (a, b) in [
      ("\u{E9}", "e\u{301}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{212B}", "\u{C5}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"),
    ] {
      #expect(key(.string(a), .string) == key(.string(b), .string))
      #expect(key(.string("x" + a + "\0"), .string) == key(.string("x" + b + "\0"), .string))
    }
    #expect(key(.string("e"), .string) != key(.string("\u{E9}"), .string))
  }

  @Test func keysTellWhereTheyEndAndComeBack() throws {
    var random = SplitMix64(seed: 13)
    for _ in 0..<1_000 {
      let values: [(ColumnKind, StoredValue)] = [
        (.bool, .bool(random.next() % 2 == 0)), (.int16, .int(Int64(random.integer() as Int16))),
        (.uint64, .uint(random.integer())),
        (.double, .double(random.double())), (.string, .string(random.text())), (.decimal, .decimal(random.decimal())),
        (.data, .data(random.bytes())), (.date, .date(random.double())), (.uuid, .uuid(random.uuid())), (.string, .null),
      ].shuffled(using: &random)
      var key: [UInt8] = []
      for (kind, value) in values { KeyCoding.append(value, kind: kind, isOptional: true, to: &key) }
      try key.withRawSpan { bytes in
        var offset = 0
        for (kind, value) in values {
          let read = try KeyCoding.decode(kind: kind, isOptional: true, from: bytes, at: &offset)
          var again: [UInt8] = []
          var original: [UInt8] = []
          KeyCoding.append(read, kind: kind, isOptional: true, to: &again)
          KeyCoding.append(value, kind: kind, isOptional: true, to: &original)
          #expect(again == original)
          if case .decimal(let a) = read, case .decimal(let b) = value, !b.isNaN { #expect(a == b) }
        }
        #expect(offset == bytes.byteCount)
      }
    }
  }

  @Test func damagedKeysThrowOrAreOtherValues() {
    var random = SplitMix64(seed: 14)
    for kind in ColumnKind.allCases {
      for _ in 0..<300 {
        let bytes = (0..<random.next() % 24).map { _ in random.next() % 3 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next()) }
        bytes.withRawSpan { bytes in
          var offset = 0
          _ = try? KeyCoding.decode(kind: kind, isOptional: random.next() % 2 == 0, from: bytes, at: &offset)
          #expect(offset <= bytes.byteCount)
        }
      }
    }
  }

  @Test func aValueOfAnotherKindIsRefusedWhole() {
    var key: [UInt8] = [9]
    #expect(!KeyCoding.append(.int(1), kind: .string, isOptional: true, to: &key))
    #expect(!KeyCoding.append(.null, kind: .string, isOptional: false, to: &key))
    #expect(!KeyCoding.append(.list([]), kind: .list, isOptional: true, to: &key))
    #expect(key == [9])
  }

  @Test func goldenBytes() {
    let cases: [(ColumnKind, StoredValue, String)] = [
      (.string, .null, "00"), (.bool, .bool(true), "0101"), (.int64, .int(-1), "017fffffffffffffff"),
      (.int8, .int(1), "018000000000000001"),
      (.uint64, .uint(258), "010000000000000102"), (.double, .double(1), "01bff0000000000000"),
      (.double, .double(-0.0), "018000000000000000"),
      (.double, .double(-1), "01400fffffffffffff"), (.date, .date(.nan), "01ffffffffffffffff"),
      (.string, .string("a\0b"), "016100ff620001"),
      (.string, .string("e\u{301}"), "01c3a90001"), (.data, .data([0, 1]), "0100ff010001"), (.decimal, .decimal(0), "0102"),
      (.decimal, .decimal(Decimal(string: "-12.5")!), "0101bffd" + "f2" + "cc" + "ff"),
      (.decimal, .decimal(Decimal(string: "100")!), "010340030b00"),
      (.uuid, .uuid(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F")!), "01000102030405060708090a0b0c0d0e0f"),
    ]
    for (kind, value, hexadecimal) in cases { #expect(key(value, kind).hexadecimal == hexadecimal, "\(value)") }
  }
}

extension [UInt8] {
  var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
