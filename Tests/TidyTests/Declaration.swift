/// A line of code that declares something, as far as a line alone can tell.
struct Declaration {
  enum Keyword: String {
    case `func`, `var`, `let`, `init`, `subscript`, `case`
    case `struct`, `class`, `enum`, `protocol`, actor, `typealias`, `associatedtype`
  }

  /// Words that stand in front of a keyword, arguments in parentheses included.
  static let modifiers: Set<Substring> = [
    "public", "open", "package", "internal", "fileprivate", "private", "set", "static", "class", "final", "override", "mutating",
    "nonmutating", "consuming", "borrowing", "nonisolated", "unsafe", "nonsending", "convenience", "required", "lazy", "weak",
    "unowned", "indirect", "dynamic", "optional", "prefix", "postfix", "infix", "distributed", "isolated", "sending",
  ]

  let keyword: Keyword
  let modifiers: ArraySlice<Substring>
  /// What follows the keyword.
  let rest: Substring

  init?(line: Substring) {
    let text = Self.withoutAttributes(line)
    let words = text.words
    // `class` is a keyword, unless another one follows.
    let index = words.indices.first { index in
      guard Keyword(rawValue: String(words[index])) != nil else { return false }
      return words[index] != "class" || words.count == index + 1 || !Self.isIntroducer(words[index + 1])
    }
    guard let index, words[..<index].allSatisfy(Self.modifiers.contains) else { return nil }
    guard let keyword = Keyword(rawValue: String(words[index])), text.first?.isLetter == true else { return nil }
    self.keyword = keyword
    modifiers = words[..<index]
    rest = text[words[index].endIndex...].trimmed
  }

  var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }
  var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

  private static func isIntroducer(_ word: Substring) -> Bool {
    modifiers.contains(word) || ["func", "var", "let", "subscript"].contains(word)
  }

  /// The line from its first word that belongs to no attribute.
  static func withoutAttributes(_ line: Substring) -> Substring {
    var rest = line.trimmed
    while rest.first == "@" {
      rest = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if rest.first == "(" {
        var depth = 0
        rest = rest.drop { character in
          if character == "(" { depth += 1 }
          if character == ")" { depth -= 1 }
          return depth > 0
        }.dropFirst()
      }
      rest = rest.trimmed
    }
    return rest
  }
}
