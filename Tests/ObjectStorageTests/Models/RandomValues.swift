import FoundationEssentials
import TestSupport

@testable import ObjectStorage

extension SplitMix64 {
  mutating func integer<T: FixedWidthInteger>() -> T {
    switch next() % 6 {
    case 0: T.min
    case 1: T.max
    case 2: T(truncatingIfNeeded: Int(next() % 5) - 2)
    default: T(truncatingIfNeeded: next())
    }
  }

  mutating func double() -> Double {
    let special: [Double] = [
      0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1, -1,
      Double(bitPattern: 0x7FF0_0000_0000_0001), Double(bitPattern: 0xFFF8_0000_0000_1234),
      Date.distantPast.timeIntervalSinceReferenceDate,
      Date.distantFuture.timeIntervalSinceReferenceDate,
    ]
    return next() % 2 == 0 ? special[Int(next() % UInt64(special.count))] : Double(bitPattern: next())
  }

  mutating func text() -> String {
    let parts = [
      "", "a", "\0", "\u{1}", "\u{FF}", "e\u{301}", "\u{E9}", "z", "\u{1F600}", "b\0", "\u{7F}", "\u{10FFFF}", "\u{AC00}", "ß",
    ]
    return (0..<next() % 6).map { _ in parts[Int(next() % UInt64(parts.count))] }.joined()
  }

  mutating func bytes() -> [UInt8] {
    let parts: [UInt8] = [0, 1, 2, 0xFE, 0xFF, 0x61]
    return (0..<next() % 7).map { _ in parts[Int(next() % UInt64(parts.count))] }
  }

  mutating func decimal() -> Decimal {
    switch next() % 8 {
    case 0: return 0
    case 1: return .nan
    case 2: return Decimal(sign: .plus, exponent: 127, significand: .greatestFiniteMagnitude.significand)
    case 3: return Decimal(sign: .minus, exponent: -127, significand: Decimal(next() % 100))
    default:
      let digits = Decimal(next() >> (next() % 64))
      return Decimal(sign: next() % 2 == 0 ? .plus : .minus, exponent: Int(next() % 12) - 6, significand: digits)
    }
  }

  mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: double()) }
  mutating func uuid() -> UUID {
    let b = (0..<16).map { _ in UInt8(truncatingIfNeeded: next()) }
    return UUID(uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
  }
  mutating func maybe<T>(_ value: T) -> T? { next() % 3 == 0 ? nil : value }
  mutating func many<T>(_ body: (inout SplitMix64) -> T) -> [T] { (0..<next() % 5).map { _ in body(&self) } }

  mutating func address() -> Address {
    var address = Address()
    address.street = text()
    address.number = maybe(integer())
    address.tags = MutableSet(many { $0.text() })
    return address
  }

  mutating func everything() -> Everything {
    var object = Everything()
    object.bool = next() % 2 == 0
    object.int = integer()
    object.int8 = integer()
    object.int16 = integer()
    object.int32 = integer()
    object.int64 = integer()
    object.uint = integer()
    object.uint8 = integer()
    object.uint16 = integer()
    object.uint32 = integer()
    object.uint64 = integer()
    object.float = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
    object.double = double()
    object.decimal = decimal()
    object.text = text()
    object.data = Data(bytes())
    object.date = date()
    object.uuid = uuid()
    object.status = Status.allCases[Int(next() % 3)]
    object.priority = .high
    object.anyBool = maybe(true)
    object.anyInt = maybe(integer())
    object.anyInt8 = maybe(integer())
    object.anyUInt16 = maybe(integer())
    object.anyFloat = maybe(1.5)
    object.anyDouble = maybe(double())
    object.anyDecimal = maybe(decimal())
    object.anyText = maybe(text())
    object.anyData = maybe(Data(bytes()))
    object.anyDate = maybe(date())
    object.anyUUID = maybe(uuid())
    object.anyStatus = maybe(.read)
    object.anyPriority = maybe(.low)
    object.address = address()
    object.oldAddress = maybe(address())
    object.addresses = List(many { $0.address() })
    object.scores = PersistedList(many { $0.integer() })
    object.names = PersistedList(many { $0.text() })
    object.optionals = List(many { $0.maybe($0.double()) })
    object.optionalNames = List(many { $0.maybe($0.text()) })
    object.tags = Set(many { $0.text() })
    object.numbers = MutableSet(many { $0.integer() })
    object.statuses = MutableSet(many { $0.next() % 2 == 0 ? Status.sent : .read })
    for key in many({ $0.text() }) { object.attributes[key] = integer() }
    for key in many({ $0.text() }) { object.notes[key] = .some(maybe(text())) }
    return object
  }
}
