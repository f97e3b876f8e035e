import Testing

@testable import ObjectStorage

/// The grammar: that it reads back what it prints, and says where a text is wrong.
@Suite struct TextGrammarTests {
  private func printed(_ text: String) throws -> String { QueryPrinter.text(try QueryParser.form(text)) }

  @Test(arguments: [
    "", "firstName == \"Robert\"", "age >= 18 && isActive", "!(a == 1 || b == 2) && c", "a == 1 && (b == 2 || c == 3)",
    "firstName.in([\"a\", \"b\"])", "age.between(1...5) && age.between(-1..<5)", "updatedAt != nil", "events.count >= 5",
    "events.isEmpty",
    "events.filter(name == \"Talk\").count > 1", "events.none(name == \"banned\")", "scores.any($0 > 3)",
    "events.any(name == $1.firstName && tags.all($0 == $2.id))", "parts.sum(of: id) > 3", "attributes[\"colour\"] == 3",
    "attributes.keys.contains(\"a\")", "name.starts(with: \"a\") || name.ends(with: \"b\") || name.like(\"R*t\")",
    "name.contains(\"rob\", options: [caseInsensitive, diacriticInsensitive])", "name.equals(\"x\", options: caseInsensitive)",
    "text.in(User { age > 3 | sort -age | limit 3 }, of: firstName)", "| sort -serverTimestamp, id | limit 50",
    "| limit 3 | where a == 1",
    "a == 1 | distinct b | offset 3 | limit 5 | after \"00ff\"", "`nil` == 1 && a.`count` == 2 && `a b`.c == `3x`",
    "a == -1 && b == 1.5e-07",
    "a == nan || a == inf || a == -inf", "d == date(573385274.217203) && u == uuid(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\")",
    "d == decimal(\"1159336.05\") && b == data(\"00ff\")", "a == \"\\u{1}\\n\\\"\\\\\"", "(a == 1) == true",
    "a == 18446744073709551615",
    "date == 3 && data == 4", "t.matches(\"[a-z]+\")", "| sort -isActive, -inference", "address.street == \"x\"",
  ])
  func readsBack(_ text: String) throws {
    #expect(try printed(text) == text)
  }

  @Test(arguments: [
    ("a==1", "a == 1"), ("a == 1 and b", ""), ("a == 1 | where b | where c || d", "a == 1 && b && (c || d)"), ("((a))", "a"),
    ("a == 1.0", "a == 1.0"), ("| sort a | sort b", "| sort a, b"), ("a == date(\"2001-01-01T00:00:01Z\")", "a == date(1.0)"),
    ("a == date(\"2001-01-01T00:00:01.500Z\")", "a == date(1.5)"), ("a.in([])", "a.in([])"),
    ("a.contains(\"x\", options: [])", "a.contains(\"x\")"),
  ])
  func variants(_ text: String, _ expected: String) throws {
    if expected.isEmpty {
      #expect(throws: QueryError.self) { try printed(text) }
    } else {
      #expect(try printed(text) == expected)
    }
  }

  @Test(arguments: [
    ("age >", 5), ("age > > 3", 6), ("(age > 3", 8), ("age > 3)", 7), ("é == 3 §", 8), ("a == \"x", 7), ("a == \"\\q\"", 6),
    ("a.foo(3)", 2),
    ("a.in([1, 2)", 10), ("a | limit -1", 10), ("a | foo", 4), ("a | after \"0\"", 10), ("$1 == 3", 0),
    ("a == 99999999999999999999", 5),
    ("a.between(1, 2)", 11), ("a == uuid(\"x\")", 10), ("a.contains(3, options: caseInsensitive)", 14), ("a == 3x", 6),
    ("a.like(3)", 8), ("a &&", 4),
    ("a == == b", 5), ("a.", 2), ("in([1])", 0), ("a == 1 == 2", 7),
  ])
  func saysWhere(_ text: String, _ offset: Int) throws {
    do throws(QueryError) {
      _ = try QueryParser.form(text)
      Issue.record("\(text) was read")
    } catch {
      guard case .syntax(text, let found, let expected) = error else { throw error }
      #expect(found == offset, "\(text): expected \(expected)")
      #expect(!expected.isEmpty)
    }
  }

  @Test func boundsDepthAndLength() {
    for deep in [
      String(repeating: "(", count: 60_000), String(repeating: "!", count: 60_000), String(repeating: "a.any(", count: 10_000),
    ] {
      #expect(throws: QueryError.self) { try QueryParser.form(deep) }
    }
    #expect(throws: QueryError.self) { try QueryParser.form("a == \"" + String(repeating: "x", count: 1 << 16) + "\"") }
  }

  @Test func damagedTextsAreErrors() throws {
    let text = "events.any(name == \"T\" && $1.x.in([1, 2.5])) || a.between(1...5) | sort -a, b | limit 3"
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      for change: UInt8 in [0, 0x22, 0x28, 0x29, 0x5C, 0x60, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] = change
        _ = try? QueryParser.form(String(decoding: damaged, as: UTF8.self))
        _ = try? QueryParser.form(String(decoding: damaged[..<index], as: UTF8.self))
      }
    }
  }
}
