/// A set of Unicode scalars, as a regular expression writes it.
struct ScalarClass: Sendable {
  enum Named: Sendable { case digit, word, space }

  private(set) var ranges: [ClosedRange<UInt32>] = []
  private(set) var named: [(Named, isNegated: Bool)] = []
  var isNegated = false
  /// Whether an upper case form of the scalar counts too.
  var ignoresCase = false

  mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }
  mutating func insert(_ name: Named, isNegated: Bool) { named.append((name, isNegated)) }

  /// Adds what the members of short ranges fold to, since the text is folded.
  mutating func fold(_ options: StringOptions) {
    ignoresCase = options.contains(.caseInsensitive)
    if options.isEmpty { return }
    for range in ranges where range.count <= 1024 {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let folded = TextFolding.foldedString(String(Character(scalar)), options).unicodeScalars
        if let first = folded.first, folded.count == 1, first != scalar, !holds(first) { ranges.append(first.value...first.value) }
      }
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isMember = holds(scalar)
    if !isMember, ignoresCase {
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      if let first = upper.first, upper.count == 1 { isMember = holds(first) }
    }
    return isMember != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) } || named.contains { Self.belongs(scalar, to: $0.0) != $0.isNegated }
  }

  static func belongs(_ scalar: Unicode.Scalar, to name: Named) -> Bool {
    if scalar.isASCII {
      let value = scalar.value
      switch name {
      case .digit: return value &- 0x30 < 10
      case .word: return value &- 0x30 < 10 || (value | 0x20) &- 0x61 < 26 || value == 0x5F
      case .space: return value == 0x20 || value &- 9 < 5
      }
    }
    let properties = scalar.properties
    switch name {
    case .digit: return properties.generalCategory == .decimalNumber
    case .space: return properties.isWhitespace
    case .word:
      switch properties.generalCategory {
      case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation: return true
      default: return properties.isAlphabetic
      }
    }
  }
}
