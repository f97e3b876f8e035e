/// Finds what is code in Swift source: comments, the text of strings and extended regexes are not, interpolations are.
struct SwiftCode {
  private let source: [UInt8]
  private var code: [UInt8] = []
  private var index = 0

  private init(_ text: String) {
    source = Array(text.utf8)
    code.reserveCapacity(source.count)
  }

  /// The text with everything that isn't code replaced by spaces, so that lines and columns stay.
  static func withoutCommentsAndStrings(_ text: String) -> String {
    var scanner = SwiftCode(text)
    scanner.scan(inInterpolation: false)
    return String(decoding: scanner.code, as: UTF8.self)
  }

  private func isAt(_ text: String, offset: Int = 0) -> Bool {
    index + offset <= source.count && source[(index + offset)...].starts(with: text.utf8)
  }

  private mutating func keep() {
    code.append(source[index])
    index += 1
  }

  private mutating func blank(_ count: Int = 1) {
    let end = min(index + count, source.count)
    code += source[index..<end].map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    index = end
  }

  /// Scans to the end, or inside an interpolation to the parenthesis that closes it.
  private mutating func scan(inInterpolation: Bool) {
    var depth = 0
    while index < source.count {
      switch source[index] {
      case UInt8(ascii: "/") where isAt("//"):
        while index < source.count, source[index] != UInt8(ascii: "\n") { blank() }
      case UInt8(ascii: "/") where isAt("/*"):
        skipBlockComment()
      case UInt8(ascii: "#") where isAt("#/"):
        while index < source.count, !isAt("/#") { blank() }
        blank(2)
      case UInt8(ascii: "#") where isAt("\"", offset: hashCount()), UInt8(ascii: "\""):
        skipString(hashCount: hashCount())
      case UInt8(ascii: ")") where inInterpolation && depth == 0:
        return
      case let byte:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        keep()
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if isAt("/*") { depth += 1 }
      if isAt("*/") { depth -= 1 }
      blank(isAt("/*") || isAt("*/") ? 2 : 1)
    } while depth > 0 && index < source.count
  }

  /// How many `#` stand `offset` bytes further on.
  private func hashCount(offset: Int = 0) -> Int {
    source.dropFirst(index + offset).prefix { $0 == UInt8(ascii: "#") }.count
  }

  private mutating func skipString(hashCount count: Int) {
    let quotes = isAt("\"\"\"", offset: count) ? "\"\"\"" : "\""
    blank(count + quotes.utf8.count)
    while index < source.count {
      switch source[index] {
      case UInt8(ascii: "\\") where hashCount(offset: 1) >= count:
        blank(1 + count)
        if isAt("(") {
          blank()
          scan(inInterpolation: true)
        }
        blank()
      case UInt8(ascii: "\"") where isAt(quotes) && hashCount(offset: quotes.utf8.count) >= count:
        blank(quotes.utf8.count + count)
        return
      case UInt8(ascii: "\n") where quotes == "\"":
        return
      default:
        blank()
      }
    }
  }
}
