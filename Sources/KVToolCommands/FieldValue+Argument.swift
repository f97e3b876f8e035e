import MailboxLog
import StorageIO

extension FieldValue {
  /// Reads `name=type:value`. A string's value may be `@FILE`; bytes are hex, `base64:TEXT` or `@FILE`.
  static func named(_ argument: String, _ system: SystemCalls) throws -> (name: String, value: FieldValue) {
    let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty else {
      throw ToolFailure.usage("--field takes NAME=TYPE:VALUE, not '\(printable(argument))'")
    }
    let parts = sides[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let type = String(parts[0])
    guard parts.count == 2, typeNames.contains(type) else {
      let clause = Suggestion.clause(for: type, among: typeNames)
      throw ToolFailure.usage(
        "the type of a field is one of \(typeNames.joined(separator: ", ")), not '\(printable(type))'\(clause)")
    }
    let (name, text) = (String(sides[0]), String(parts[1]))
    guard let value = try value(type, text, name, system) else {
      throw ToolFailure.usage(
        "the field '\(printable(name))': '\(printable(text))' is no \(type)\(type == "date" ? "; write 2026-01-31T09:30:00Z" : "")")
    }
    return (name, value)
  }

  private static func value(_ type: String, _ text: String, _ name: String, _ system: SystemCalls) throws -> FieldValue? {
    switch type {
    case "string":
      if !text.hasPrefix("@") { return .string(Array(text.utf8)) }
      let bytes = try ByteArgument.file(String(text.dropFirst()), system)
      guard UTF8Scalars.isValid(bytes.span) else { throw ToolFailure.usage("the field '\(printable(name))': the file isn't UTF-8") }
      return .string(bytes)
    case "bytes": return .bytes(try ByteArgument.bytes(text, "the field '\(printable(name))'", system))
    default: return FieldValue(type, argument: text)
    }
  }

  /// A number, a truth value or a date; nil for what is none of the type.
  init?(_ type: String, argument text: String) {
    let value: FieldValue? =
      switch type {
      case "int": Int64(text).map { .int($0) }
      case "uint": UInt64(text).map { .uint($0) }
      case "double": Double(text).map { .double($0) }
      case "bool": text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
      case "date": TimestampText.timestamp(text).map { .date($0.secondsSinceReferenceDate) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
