/// One word of a query's text, and where it begins.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    /// `isQuoted`: written between backticks, so never a word of the grammar.
    case name(String, isQuoted: Bool)
    case string(String)
    case number(StoredValue)
    /// `$0` is the innermost element, `$1` the one around it.
    case element(Int)
    case symbol(String)
    case end
  }
  let kind: Kind
  let offset: Int

  func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }
  func isWord(_ text: String) -> Bool { kind == .name(text, isQuoted: false) }
}

/// What the grammar means by words, where a property of the same name has to stand in backticks.
enum QueryWords {
  /// At the beginning of an operand.
  static let literals: Set<String> = ["true", "false", "nil", "nan", "inf"]
  /// Behind a dot.
  static let members: Set<String> = Set(QueryMeasure.allCases.map(\.rawValue)).union(["keys", "values"])

  static func isPlainName(_ name: String) -> Bool {
    var scalars = name.unicodeScalars.makeIterator()
    guard let first = scalars.next(), startsName(first) else { return false }
    while let scalar = scalars.next() { if !continuesName(scalar) { return false } }
    return true
  }
  static func startsName(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isXIDStart }
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isXIDContinue }
}
