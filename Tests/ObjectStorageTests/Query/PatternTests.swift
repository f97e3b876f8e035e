import Testing

@testable import ObjectStorage

/// Regular expressions: what they match, what is refused, and that no text makes them slow.
@Suite struct PatternTests {
  private func matches(_ pattern: String, _ text: String, _ options: StringOptions = []) throws -> Bool {
    PatternMatcher.matches(try PatternProgram(pattern, options), TextFolding.foldedString(text, options).unicodeScalars)
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("a.c", "aßc"), ("[a-c]+", "abccba"), ("[^a-c]+", "xyz"), ("a|bc|d", "bc"), ("(a|b)*c", "ababc"),
    ("a?b", "b"), ("a{2}", "aa"), ("a{2,}", "aaaa"), ("a{1,3}", "aaa"), ("\\d+", "042"), ("\\w+", "Москва_1"), ("\\s", "\u{3000}"),
    ("^a$", "a"), ("\\Aa\\z", "a"), (".*\\bcat\\b.*", "a cat sat"), ("[]a]+", "]a"), ("[a-]+", "-a"), ("[\\d-x]+", "1-x"),
    ("(?:ab)+", "abab"), ("a+?", "aa"), ("\\.", "."), ("\\x41\\u0042\\u{43}", "ABC"), ("[\\u0430-\\u044f]+", "москва"),
    ("é", "e\u{301}"),
    ("(a*)*", "aaa"), ("((){1000}){1000}", ""), ("a||b", ""), ("[\\W]", " "), ("\\D\\B\\S", "xy"), ("x*", ""), ("}", "}"),
  ])
  func accepts(_ pattern: String, _ text: String) throws {
    #expect(try matches(pattern, text))
  }

  @Test(arguments: [
    ("abc", "abcd"), ("abc", "xabc"), ("a.c", "a\nc"), ("a{2}", "aaa"), ("a{2,}", "a"), ("^b", "ab"), ("\\d", "x"), ("\\d", "½"),
    ("[^a-c]", "b"), ("(a|b)*c", "abab"), ("cat\\b", "cats"), ("a$b", "ab"), ("", "x"), ("e.*", "e\u{301}"),
  ])
  func refuses(_ pattern: String, _ text: String) throws {
    #expect(try !matches(pattern, text))
  }

  @Test func folds() throws {
    #expect(try matches("МОСК[А-Я]+", "москва", .caseInsensitive))
    #expect(try matches("STRASSE", "straße", .caseInsensitive))
    #expect(try matches("stra[ß]e|straSSe", "STRASSE", .caseInsensitive))
    #expect(try matches("[A-F]+", "face", .caseInsensitive))
    #expect(try !matches("[^A-F]+", "face", .caseInsensitive))
    #expect(try matches("[é]j", "ej", .diacriticInsensitive))
    #expect(try matches("éj", "EJ", [.caseInsensitive, .diacriticInsensitive]))
    #expect(try !matches("ej", "éj"))
  }

  @Test(arguments: [
    "(", ")", "[a", "a**", "*a", "{2}", "a{2", "a{3,2}", "a{1001}", "a{,3}", "\\", "(?=a)", "(?<n>a)", "\\1", "(a)\\1", "[b-a]",
    "[a-\\d]", "\\q",
    "\\x4", "\\u{110000}", "(((a{1000}){1000}){1000})", "(?i)a",
  ])
  func invalid(_ pattern: String) {
    #expect(throws: PatternFailure.self) { try PatternProgram(pattern, []) }
  }

  @Test func depthIsBounded() {
    #expect(throws: PatternFailure.self) {
      try PatternProgram(String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000), [])
    }
  }

  /// A backtracking engine takes 2^30 steps here.
  @Test func isLinear() throws {
    let pattern = String(repeating: "a?", count: 200) + String(repeating: "a", count: 200)
    #expect(try matches(pattern, String(repeating: "a", count: 200)))
    #expect(try !matches("(a+)+b", String(repeating: "a", count: 20_000)))
    #expect(try !matches("(.*)*x(.*)*y", String(repeating: "x", count: 20_000)))
  }
}
