import Testing

/// That code is told from comments and strings, and what the tree ignores.
@Suite struct SwiftCodeTests {
  @Test(arguments: [
    ("a // b\nc", "a     \nc"),
    ("a /* b /* c */ d */ e", "a                   e"),
    ("a(\"b\\\"c\") // \"", "a(      )     "),
    ("\"a\\(b(c) + \"d\")e\" f", "    b(c) +        f"),
    ("\"\"\"\na \"\" b\\(c)\n\"\"\" d", "   \n        c \n    d"),
    ("#\"a\" \\(b) \\#(c)\"# d", "             c    d"),
    ("#/a\"/# b", "       b"),
    ("#if a\n\"", "#if a\n "),
  ])
  func codeOnly(source: String, code: String) {
    #expect(SwiftCode.withoutCommentsAndStrings(source) == code)
  }

  @Test func ignoredNames() {
    let ignored = IgnoredNames(gitignore: ".build/\n.build-*/\n*.o\n/docs/\n# docs\n")
    #expect(ignored.contain(".git", isDirectory: false, atRoot: true))
    #expect(ignored.contain(".build", isDirectory: true, atRoot: false))
    #expect(ignored.contain(".build-embedded", isDirectory: true, atRoot: true))
    #expect(ignored.contain("a.o", isDirectory: false, atRoot: false))
    #expect(ignored.contain("docs", isDirectory: true, atRoot: true))
    #expect(!ignored.contain("docs", isDirectory: true, atRoot: false))
    #expect(!ignored.contain(".build", isDirectory: false, atRoot: true))
    #expect(!ignored.contain("a.out", isDirectory: false, atRoot: false))
    #expect(!ignored.contain(".ci", isDirectory: true, atRoot: true))
  }
}
