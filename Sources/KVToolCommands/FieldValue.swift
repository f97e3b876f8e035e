import MailboxLog
import RawMemory

/// A value with its type, apart from the entry it came from.
enum FieldValue: Equatable {
  case bytes([UInt8])
  case string([UInt8])
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case bool(Bool)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)

  /// From what an entry holds; nil when the bytes aren't a value of the type.
  init?(_ type: LogValueType, _ bytes: Span<UInt8>) {
    switch type {
    case .bytes: self = .bytes(bytes.copied())
    case .string: self = .string(bytes.copied())
    case .int, .uint, .double, .date:
      guard bytes.count == 8 else { return nil }
      var word: UInt64 = 0
      for index in bytes.indices.reversed() { word = word << 8 | UInt64(bytes[index]) }
      switch type {
      case .int: self = .int(Int64(bitPattern: word))
      case .uint: self = .uint(word)
      case .double: self = .double(Double(bitPattern: word))
      default: self = .date(Double(bitPattern: word))
      }
    case .bool:
      guard bytes.count == 1, bytes[0] <= 1 else { return nil }
      self = .bool(bytes[0] == 1)
    }
  }

  var typeName: String {
    switch self {
    case .bytes: "bytes"
    case .string: "string"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .bool: "bool"
    case .date: "date"
    }
  }
  static func typeName(_ type: LogValueType) -> String { typeNames[Int(type.rawValue)] }
  /// In the order of their numbers.
  static let typeNames = ["bytes", "string", "int", "uint", "double", "bool", "date"]

  func set(_ name: String, in fields: inout MailboxFields) {
    switch self {
    case .bytes(let bytes): fields.set(name, bytes)
    case .string(let bytes): fields.set(name, String(decoding: bytes, as: UTF8.self))
    case .int(let value): fields.set(name, value)
    case .uint(let value): fields.set(name, value)
    case .double(let value): fields.set(name, value)
    case .bool(let value): fields.set(name, value)
    case .date(let seconds): fields.set(name, LogTimestamp(secondsSinceReferenceDate: seconds))
    }
  }

  /// One line for people.
  var text: String {
    switch self {
    case .bytes(let bytes): Hexadecimal.text(bytes)
    case .string(let bytes): Escape.escaped(bytes)
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .date(let seconds): TimestampText.text(LogTimestamp(secondsSinceReferenceDate: seconds))
    }
  }

  /// For bytes that aren't a value of the type they claim.
  static func raw(_ bytes: Span<UInt8>) -> [UInt8] { bytes.copied() }

  var byteCount: Int {
    switch self {
    case .bytes(let bytes), .string(let bytes): bytes.count
    case .int, .uint, .double, .date: 8
    case .bool: 1
    }
  }
}
