extension PatternParser {
  enum Escape { case scalar(Unicode.Scalar), named(ScalarClass.Named, isNegated: Bool) }

  /// Behind a backslash, in a class or outside.
  mutating func escape() throws(PatternFailure) -> Escape {
    guard let scalar = next() else { throw failure("a \\ at the end") }
    switch scalar {
    case "d", "D": return .named(.digit, isNegated: scalar == "D")
    case "w", "W": return .named(.word, isNegated: scalar == "W")
    case "s", "S": return .named(.space, isNegated: scalar == "S")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "t": return .scalar("\t")
    case "f": return .scalar("\u{0C}")
    case "0": return .scalar("\0")
    case "x": return .scalar(try hexadecimal(2))
    case "u": return .scalar(try hexadecimal(4))
    case "1"..."9": throw failure("\\\(scalar), a back-reference, isn't supported")
    case _ where scalar.isASCII && ScalarClass.belongs(scalar, to: .word): throw failure("\\\(scalar) means nothing here")
    default: return .scalar(scalar)
    }
  }

  /// `\xHH`, `\uHHHH`, or either with the digits in braces.
  private mutating func hexadecimal(_ count: Int) throws(PatternFailure) -> Unicode.Scalar {
    let isBraced = take("{")
    var digits = ""
    while let digit = peek, digit.properties.isASCIIHexDigit, digits.utf8.count < (isBraced ? 8 : count) {
      digits.unicodeScalars.append(digit)
      _ = next()
    }
    let isComplete = isBraced ? take("}") : digits.utf8.count == count
    guard isComplete, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw failure("no Unicode scalar in hexadecimal")
    }
    return scalar
  }

  /// Behind `[`, up to `]`.
  mutating func bracketed() throws(PatternFailure) -> ScalarClass {
    var set = ScalarClass()
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next() {
      if scalar == "]", !isFirst { return set }
      isFirst = false
      guard let lower = try member(scalar, &set) else { continue }
      guard let upper = try rangeEnd(&set) else {
        set.insert(lower.value...lower.value)
        continue
      }
      if upper.value < lower.value { throw failure("a range in a class that goes backwards") }
      set.insert(lower.value...upper.value)
    }
    throw failure("a [ without its ]")
  }

  private mutating func member(_ scalar: Unicode.Scalar, _ set: inout ScalarClass) throws(PatternFailure) -> Unicode.Scalar? {
    guard scalar == "\\" else { return scalar }
    switch try escape() {
    case .scalar(let scalar): return scalar
    case .named(let name, let isNegated):
      set.insert(name, isNegated: isNegated)
      return nil
    }
  }

  /// What stands behind a `-`; nil when the `-` is a member itself or isn't there.
  private mutating func rangeEnd(_ set: inout ScalarClass) throws(PatternFailure) -> Unicode.Scalar? {
    guard take("-") else { return nil }
    guard let scalar = peek, scalar != "]" else {
      set.insert(0x2D...0x2D)
      return nil
    }
    _ = next()
    guard let end = try member(scalar, &set) else { throw failure("a range in a class that ends in a class") }
    return end
  }
}
