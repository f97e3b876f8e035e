#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import MailboxLog
import ObjectStorage
import StorageIO

/// Values of a store as one line of text, and keys read from the command line.
enum StoredText {
  static func text(_ value: StoredValue) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): printable(value)
    case .data(let bytes): "0x" + Hexadecimal.text(bytes)
    case .date(let seconds): TimestampText.text(LogTimestamp(secondsSinceReferenceDate: seconds))
    case .uuid(let value): value.uuidString
    case .list(let values): "[" + values.map(element).joined(separator: ", ") + "]"
    case .object(let entries): "{" + entries.map { "\(printable($0.name)): \(element($0.value))" }.joined(separator: ", ") + "}"
    case .map(let entries): "{" + entries.map { "\(quoted($0.name)): \(element($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// Among others a text stands in quotes: commas and brackets in it are its own, and "nil" isn't nil.
  private static func element(_ value: StoredValue) -> String {
    if case .string(let text) = value { quoted(text) } else { text(value) }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + printable(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
  }

  /// A key from the command line. - Throws: a usage error when it isn't of the column's kind.
  static func key(_ text: String, _ column: ColumnSchema, _ system: SystemCalls) throws -> StoredValue {
    guard let value = try value(text, column.kind, system) else {
      throw ToolFailure.usage("'\(printable(text))' is no \(column.kind.swiftName), which the key is")
    }
    return value
  }

  private static func value(_ text: String, _ kind: ColumnKind, _ system: SystemCalls) throws -> StoredValue? {
    switch kind {
    case .string:
      guard let bytes = Escape.unescaped(text), UTF8Scalars.isValid(bytes.span) else { return nil }
      return .string(String(decoding: bytes, as: UTF8.self))
    case .bool: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .int8, .int16, .int32, .int64: return Int64(text).map { .int($0) }
    case .uint8, .uint16, .uint32, .uint64: return UInt64(text).map { .uint($0) }
    case .float, .double: return Double(text).map { .double($0) }
    case .decimal: return Decimal(string: text).map { .decimal($0) }
    case .data: return .data(try ByteArgument.bytes(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, "the id", system))
    case .date: return (TimestampText.timestamp(text)?.secondsSinceReferenceDate ?? Double(text)).map { .date($0) }
    case .uuid: return UUID(uuidString: text).map { .uuid($0) }
    case .embedded, .list, .set, .map, .link: return nil
    }
  }
}

extension Output {
  /// A value of JSON that loses nothing to who knows the column's type: `help dump-format` says how.
  func write(json value: StoredValue) throws {
    switch value {
    case .null: try write("null")
    case .bool(let value): try write("\(value)")
    case .int(let value): try write(value.magnitude <= 1 << 53 ? "\(value)" : "\"\(value)\"")
    case .uint(let value): try write(json: value)
    case .double(let value), .date(let value): try write(Self.number(value))
    case .decimal(let value): try write("\"\(value)\"")
    case .string(let text): try write(json: text)
    case .data(let bytes):
      try write("\"")
      try write(base64: bytes.span)
      try write("\"")
    case .uuid(let value): try write("\"\(value.uuidString)\"")
    case .list(let values):
      try write("[")
      for (index, value) in values.enumerated() {
        if index > 0 { try write(",") }
        try write(json: value)
      }
      try write("]")
    case .map(let entries), .object(let entries): try write(json: entries)
    }
  }

  func write(json entries: [StoredValue.Entry]) throws {
    try write("{")
    for (index, entry) in entries.enumerated() {
      if index > 0 { try write(",") }
      try write(json: entry.name)
      try write(":")
      try write(json: entry.value)
    }
    try write("}")
  }
}
