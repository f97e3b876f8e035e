import Testing

@testable import ObjectStorage

/// Wildcards.
@Suite struct LikeTests {
  private func like(_ text: String, _ pattern: String, _ options: StringOptions = []) -> Bool {
    LikePattern(pattern, options).matches(TextFolding.foldedString(text, options))
  }

  @Test(arguments: [
    ("Robert", "R*t"), ("", ""), ("", "*"), ("", "**"), ("abc", "***"), ("abc", "a?c"), ("abc", "???"), ("100*", "100\\*"),
    ("a?b", "a\\?b"),
    ("a\\b", "a\\\\b"), ("aXbXc", "a*b*c"), ("aaab", "*ab"), ("e\u{301}x", "?x"), ("👩‍👩‍👧x", "?x"), ("e\u{301}", "é"), ("a\\", "a\\"),
    ("q", "\\q"),
    ("mississippi", "m*issip*"), ("москва", "м?скв*"),
  ])
  func accepts(_ text: String, _ pattern: String) { #expect(like(text, pattern)) }

  @Test(arguments: [
    ("Robert", "R*x"), ("", "?"), ("abc", "a?"), ("100x", "100\\*"), ("abc", "ab"), ("abc", "bc"), ("Abc", "a*"),
    ("e\u{301}", "e*"),
    ("mississippi", "m*issip*x"),
  ])
  func refuses(_ text: String, _ pattern: String) { #expect(!like(text, pattern)) }

  @Test func folds() {
    #expect(like("МОСКВА", "м*а", .caseInsensitive))
    #expect(like("Éj", "e?", [.caseInsensitive, .diacriticInsensitive]))
    #expect(like("straße", "STRA*SE", .caseInsensitive))
  }

  @Test func pieces() {
    #expect(LikePattern("a*b", []).pieces == [Array("a".utf8), Array("b".utf8)])
    #expect(LikePattern("*a*", []).pieces == [[], Array("a".utf8), []])
    #expect(LikePattern("a?", []).pieces == nil)
  }

  /// The last star alone is tried again.
  @Test func isNotExponential() {
    #expect(!like(String(repeating: "a", count: 3_000), String(repeating: "*a", count: 200) + "*b"))
  }
}
