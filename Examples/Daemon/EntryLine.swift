import Anteroom
import FoundationEssentials

/// One entry as JSON. Bytes are in Base64, dates in seconds since 1970, and numbers that JSON lacks are texts.
enum EntryLine {
  /// With a newline at its end.
  static func encode(_ entry: borrowing MailboxEntry) throws -> [UInt8] {
    let segment = entry.position.segment
    let line = Line(
      id: entry.id, segment: digits(segment.high) + digits(segment.low), sequence: entry.position.sequence,
      appendedAt: seconds(entry.appendedAt), schemaVersion: entry.schemaVersion, content: try values(entry))
    return [UInt8](try encoder().encode(line)) + [UInt8(ascii: "\n")]
  }

  /// The fields or the payload alone.
  static func content(_ entry: borrowing MailboxEntry) throws -> [UInt8] { [UInt8](try encoder().encode(try values(entry))) }

  private struct Line: Encodable {
    let id: String
    /// With the sequence, the entry's position: the same when it comes again.
    let segment: String
    let sequence: UInt64
    let appendedAt: Double
    let schemaVersion: UInt32
    let content: [String: Value]
  }

  private enum Value: Encodable {
    case bytes(Data)
    case string(String)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case bool(Bool)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .bytes(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .uint(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .bool(let value): try container.encode(value)
      }
    }
  }

  private static func values(_ entry: borrowing MailboxEntry) throws -> [String: Value] {
    var values: [String: Value] = [:]
    try entry.forEachField { name, type, bytes in values[name] = value(type, bytes) }
    let payload = entry.payload
    if values.isEmpty, !payload.isEmpty { values["payload"] = .bytes(Data(payload)) }
    return values
  }

  private static func value(_ type: LogValueType, _ bytes: Span<UInt8>) -> Value {
    let whole: Value? =
      switch type {
      case .bytes: nil
      case .string: String(logBytes: bytes).map { .string($0) }
      case .int: Int64(logBytes: bytes).map { .int($0) }
      case .uint: UInt64(logBytes: bytes).map { .uint($0) }
      case .double: Double(logBytes: bytes).map { .double($0) }
      case .bool: Bool(logBytes: bytes).map { .bool($0) }
      case .date: LogTimestamp(logBytes: bytes).map { .double(seconds($0)) }
      }
    return whole ?? .bytes(Data(bytes.indices.map { bytes[$0] }))
  }

  private static func seconds(_ time: LogTimestamp) -> Double {
    time.secondsSinceReferenceDate + Date.timeIntervalBetween1970AndReferenceDate
  }

  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    return encoder
  }

  private static func digits(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
