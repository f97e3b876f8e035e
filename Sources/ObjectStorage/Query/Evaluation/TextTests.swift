import RawMemory

/// A text against a literal, by the bytes of their composed forms.
///
/// Bytes that are composed for sure are compared where they are; others are composed first. That a row's bytes equal the composed
/// literal's is enough for them to be composed.
final class TextComparisonTest: ValueTest {
  let shape: ValueShape?
  private let comparison: QueryComparison
  private let literal: [UInt8]

  init(_ comparison: QueryComparison, _ literal: String, shape: ValueShape?) {
    self.comparison = comparison
    self.literal = KeyCoding.normalizedUTF8(literal)
    self.shape = shape
  }

  var nullResult: Bool { comparison == .notEqual }

  func holds(_ value: StoredValue) -> Bool {
    guard case .string(let text) = value else { return nullResult }
    let bytes = KeyCoding.normalizedUTF8(text)
    let literal = literal
    return ValueOrder.holds(comparison, bytes.span.raw.compare(literal.span.raw))
  }

  func holds(_ bytes: RawSpan, in range: Range<Int>) -> Bool {
    let text = bytes.extracting(range)
    let literal = literal
    let order = text.compare(literal.span.raw)
    if order == 0 { return ValueOrder.holds(comparison, 0) }
    if NormalFormCheck.isComposed(text) { return ValueOrder.holds(comparison, order) }
    return holds(.string(text.decodedString()))
  }
}

/// Whether a text contains, begins with, ends with or equals another, under options.
final class TextSearchTest: ValueTest {
  let shape: ValueShape?
  private let test: QueryTextTest
  private let options: StringOptions
  private let needle: [UInt8]
  /// A text of ASCII alone can't come out of composing what doesn't hold it, but for three characters.
  private let isSafelyASCII: Bool

  init(_ test: QueryTextTest, _ literal: String, _ options: StringOptions, shape: ValueShape?) {
    self.test = test
    self.options = options
    needle = TextFolding.folded(literal, options)
    // U+212A, U+037E and U+1FEF compose to K, ; and `.
    isSafelyASCII = needle.allSatisfy { $0 < 0x80 && $0 != 0x4B && $0 != 0x3B && $0 != 0x60 }
    self.shape = shape
  }

  var nullResult: Bool { false }

  func holds(_ value: StoredValue) -> Bool {
    guard case .string(let text) = value else { return false }
    let folded = TextFolding.folded(text, options)
    return find(folded.span.raw)
  }

  func holds(_ bytes: RawSpan, in range: Range<Int>) -> Bool {
    let text = bytes.extracting(range)
    if options.isEmpty {
      let isFound = find(text)
      if !isFound && isSafelyASCII { return false }
      if NormalFormCheck.isComposed(text) { return isFound }
    }
    let folded = TextFolding.folded(text, options)
    return find(folded.span.raw)
  }

  private func find(_ text: RawSpan) -> Bool {
    let needle = needle
    switch test {
    case .contains: return text.firstOffset(of: needle.span.raw) != nil
    case .starts: return text.byteCount >= needle.count && text.extracting(0..<needle.count).equals(needle.span.raw)
    case .ends:
      let start = text.byteCount - needle.count
      return start >= 0 && text.extracting(start..<text.byteCount).equals(needle.span.raw)
    default: return text.equals(needle.span.raw)
    }
  }
}

/// Whether a text fits a pattern.
final class TextPatternTest: ValueTest {
  let shape: ValueShape?
  enum Pattern: Sendable { case like(LikePattern), expression(PatternProgram) }
  private let pattern: Pattern
  private let options: StringOptions

  init(_ pattern: Pattern, _ options: StringOptions, shape: ValueShape?) {
    self.pattern = pattern
    self.options = options
    self.shape = shape
  }

  var nullResult: Bool { false }

  func holds(_ value: StoredValue) -> Bool {
    guard case .string(let text) = value else { return false }
    return fits(TextFolding.foldedString(text, options))
  }

  func holds(_ bytes: RawSpan, in range: Range<Int>) -> Bool {
    let folded = TextFolding.folded(bytes.extracting(range), options)
    return fits(folded.span.decodedString())
  }

  private func fits(_ text: String) -> Bool {
    switch pattern {
    case .like(let pattern): pattern.matches(text)
    case .expression(let program): PatternMatcher.matches(program, text.unicodeScalars)
    }
  }
}
