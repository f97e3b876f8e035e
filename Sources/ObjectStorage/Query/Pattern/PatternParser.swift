/// Reads a regular expression: literals, `.`, classes, `\d \w \s \b`, anchors, groups, `|`, `* + ? {m,n}`.
///
/// What can't be matched in linear time, such as a back-reference or a look-around, is refused by name.
struct PatternParser {
  static let depthMax = 64
  static let repetitionMax = 1000

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  static func syntax(_ pattern: String) throws(PatternFailure) -> PatternSyntax {
    var parser = PatternParser(scalars: Array(pattern.unicodeScalars))
    let syntax = try parser.alternation()
    if parser.index < parser.scalars.count { throw parser.failure("a ) without its (") }
    return syntax
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  func failure(_ reason: String) -> PatternFailure { PatternFailure(reason: "\(reason), at character \(index)") }

  var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    index += 1
    return scalar
  }

  private mutating func alternation() throws(PatternFailure) -> PatternSyntax {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax { throw failure("more than \(Self.depthMax) groups in each other") }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternation(branches)
  }

  private mutating func sequence() throws(PatternFailure) -> PatternSyntax {
    var items: [PatternSyntax] = []
    while let scalar = peek, scalar != "|", scalar != ")" {
      let atom = try atom()
      items.append(try repeated(atom))
    }
    return items.count == 1 ? items[0] : items.isEmpty ? .empty : .sequence(items)
  }

  private mutating func atom() throws(PatternFailure) -> PatternSyntax {
    guard let scalar = next() else { return .empty }
    switch scalar {
    case ".": return .any
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "(": return try group()
    case "[": return .oneOf(try bracketed())
    case "\\": return try escaped()
    case "*", "+", "?":
      index -= 1
      throw failure("nothing in front of \(scalar) to repeat")
    case "{":
      index -= 1
      throw failure("a { that repeats nothing; write \\{")
    default: return .scalar(scalar)
    }
  }

  private mutating func group() throws(PatternFailure) -> PatternSyntax {
    if take("?"), !take(":") { throw failure("(? begins only (?: here: no look-around, names or flags") }
    let inner = try alternation()
    if !take(")") { throw failure("a ( without its )") }
    return inner
  }

  private mutating func escaped() throws(PatternFailure) -> PatternSyntax {
    switch peek {
    case "b": index += 1; return .assertion(.wordBoundary)
    case "B": index += 1; return .assertion(.noWordBoundary)
    case "A": index += 1; return .assertion(.start)
    case "z": index += 1; return .assertion(.end)
    default: break
    }
    switch try escape() {
    case .scalar(let scalar): return .scalar(scalar)
    case .named(let name, let isNegated):
      var set = ScalarClass()
      set.insert(name, isNegated: isNegated)
      return .oneOf(set)
    }
  }
}

extension PatternParser {
  private mutating func repeated(_ atom: PatternSyntax) throws(PatternFailure) -> PatternSyntax {
    var result = atom
    var isRepeated = false
    while let scalar = peek {
      let range: (min: Int, max: Int?)
      switch scalar {
      case "*": range = (0, nil)
      case "+": range = (1, nil)
      case "?": range = (0, 1)
      case "{": range = try bounds()
      default: return result
      }
      if isRepeated { throw failure("a repetition of a repetition; put the first one in parentheses") }
      if scalar != "{" { index += 1 }
      result = .repetition(result, min: range.min, max: range.max)
      // A lazy repetition matches the same texts.
      _ = take("?")
      isRepeated = true
    }
    return result
  }

  private mutating func bounds() throws(PatternFailure) -> (min: Int, max: Int?) {
    index += 1
    guard let min = number() else { throw failure("no number behind {") }
    var max: Int? = min
    if take(",") { max = peek == "}" ? nil : number() ?? -1 }
    if !take("}") { throw failure("no } behind the numbers of a repetition") }
    if let max, max < min { throw failure("a repetition from \(min) to less") }
    if Swift.max(min, max ?? 0) > Self.repetitionMax { throw failure("a repetition of more than \(Self.repetitionMax)") }
    return (min, max)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = peek, digit.value &- 0x30 < 10 {
      value = Swift.min((value ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
      index += 1
    }
    return value
  }
}
