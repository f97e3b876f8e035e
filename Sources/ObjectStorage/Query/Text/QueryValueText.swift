#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values as the grammar takes them, exactly: reading them back gives the same bits.
enum QueryValueText {
  static func text(_ value: StoredValue) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): number(value)
    case .decimal(let value): "decimal(\"\(value.description)\")"
    case .string(let value): text(value)
    case .data(let value): "data(\"\(Hexadecimal.text(value))\")"
    case .date(let value): value == -.infinity ? "date(-inf)" : "date(\(number(value)))"
    case .uuid(let value): "uuid(\"\(value.uuidString)\")"
    default: "<not a single value>"
    }
  }

  static func text(_ value: String) -> String { delimited(value, by: "\"") }

  static func text(_ options: StringOptions) -> String {
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): ", options: [caseInsensitive, diacriticInsensitive]"
    case (true, false): ", options: caseInsensitive"
    case (false, true): ", options: diacriticInsensitive"
    case (false, false): ""
    }
  }

  private static func number(_ value: Double) -> String { value.isNaN ? "nan" : value.description }

  static func delimited(_ text: String, by mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    result.append(mark)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", mark: result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: ["\\", "n"])
      case "\r": result.append(contentsOf: ["\\", "r"])
      case "\t": result.append(contentsOf: ["\\", "t"])
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append(mark)
    return String(result)
  }
}
