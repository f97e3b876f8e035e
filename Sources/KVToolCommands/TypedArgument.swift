import MailboxLog
import StorageIO

/// A value of a type on the command line, in a file or on standard input.
enum TypedArgument {
  /// - Parameter text: the value itself, `@FILE`, or `-` for standard input.
  static func value(_ type: String, _ text: String, _ system: SystemCalls) throws -> FieldValue {
    if text != "-", !text.hasPrefix("@") {
      if type == "bytes" { return .bytes(try ByteArgument.bytes(text, "the value", system)) }
      return try value(type, Array(text.utf8))
    }
    let bytes =
      text == "-"
      ? try InputReader(system).all(byteCountMax: ByteArgument.byteCountMax)
      : try ByteArgument.file(String(text.dropFirst()), system)
    if type == "bytes" { return .bytes(bytes) }
    // A number that a shell prints has a line end after it; of a string it is a part.
    let hasLineEnd = type != "string" && bytes.last == 0x0A
    return try value(type, hasLineEnd ? bytes.dropLast() : bytes)
  }

  private static func value(_ type: String, _ bytes: [UInt8]) throws -> FieldValue {
    guard UTF8Scalars.isValid(bytes.span) else { throw ToolFailure.usage("the value isn't UTF-8; use --type bytes") }
    if type == "string" { return .string(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = FieldValue(type, argument: text) else {
      throw ToolFailure.usage("'\(printable(text))' is no \(type)\(type == "date" ? "; write 2026-01-31T09:30:00Z" : "")")
    }
    return value
  }
}

/// Lengths of time as `90`, `90s`, `15m`, `12h`, `7d`, `2w`.
enum DurationText {
  private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  static func duration(_ text: String, _ name: String) throws(ToolFailure) -> Duration {
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? Substring(text) : text.dropLast()
    guard let count = Int64(digits), count >= 0, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw .usage("'\(name)' takes seconds, or a number with s, m, h, d or w, not '\(printable(text))'")
    }
    let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit ?? 1)
    // A thousand years: what is longer means never, which is said by leaving the option out.
    guard !isTooLong, seconds <= 31_557_600_000 else { throw .usage("'\(name)' goes up to a thousand years") }
    return .seconds(seconds)
  }
}
