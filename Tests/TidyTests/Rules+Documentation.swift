extension Rules {
  /// Whatever a client can name has a comment of its own: declarations marked `public` or `open`, the cases of such an enum
  /// and the requirements of such a protocol. What only conforms (`==`, `<`, `hash(into:)`) and overrides has the protocol's.
  static func documentation(_ file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    var scopes: [Scope] = []
    var opening = Scope.other
    var findings: [Finding] = []
    for (index, line) in file.codeLines.enumerated() {
      if let declaration = Declaration(line: line) {
        let isVisible = declaration.isPublic || (scopes.last ?? .other).shows(declaration)
        if isVisible, !declaration.onlyConforms, !isDocumented(file, index) {
          let name = (declaration.keyword.rawValue + " " + declaration.rest.prefix { !"(<:{=".contains($0) })[...].trimmed
          findings.append(file.finding(index + 1, "'\(name)' is public and has no comment (///)"))
        }
        if let scope = Scope(declaration) { opening = scope }
      }
      for character in line where character == "{" || character == "}" {
        if character == "{" {
          scopes.append(opening)
          opening = .other
        } else {
          _ = scopes.popLast()
        }
      }
    }
    return findings
  }

  /// What a brace opened, as far as members without an access level of their own are concerned.
  private enum Scope {
    case publicEnum, publicProtocol, other

    init?(_ declaration: Declaration) {
      switch declaration.keyword {
      case .enum: self = declaration.isPublic ? .publicEnum : .other
      case .protocol: self = declaration.isPublic ? .publicProtocol : .other
      case .struct, .class, .actor, .func, .`init`, .subscript: self = .other
      default: return nil
      }
    }

    func shows(_ declaration: Declaration) -> Bool {
      switch self {
      case .publicEnum: declaration.keyword == .case
      case .publicProtocol: declaration.keyword != .case
      case .other: false
      }
    }
  }

  /// Whether a comment ends right above a line, or above the attributes in front of it.
  private static func isDocumented(_ file: SourceFile, _ index: Int) -> Bool {
    var openParentheses = 0
    for above in (0..<index).reversed() {
      let line = file.lines[above].trimmed
      if line.hasPrefix("///") { return true }
      for character in file.codeLines[above] {
        if character == ")" { openParentheses += 1 }
        if character == "(" { openParentheses -= 1 }
      }
      if openParentheses <= 0, !line.hasPrefix("@") { return line.hasSuffix("*/") }
    }
    return false
  }
}

extension Declaration {
  /// Whether it does what a protocol of the standard library, or a superclass, has documented already.
  fileprivate var onlyConforms: Bool {
    if modifiers.contains("override") { return true }
    guard keyword == .func else { return false }
    return isStatic && (rest.hasPrefix("==") || rest.hasPrefix("<")) || rest.hasPrefix("hash(into")
  }
}
