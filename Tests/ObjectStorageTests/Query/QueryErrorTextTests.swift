import Testing

@testable import ObjectStorage

/// What people read of each error of a query.
@Suite struct QueryErrorTextTests {
  private static let sentences: [(QueryError, String)] = [
    (.syntax(text: "a >", offset: 3, expected: "a value"), "at byte 3 of 'a >': a value is missing"),
    (.unknownType(name: "Car"), "the store has no type 'Car'"),
    (.unknownProperty(name: "age", type: "User"), "User has no property 'age'"),
    (.typeMismatch(part: "age > 'x'", expected: "Int", actual: "String"), "'age > 'x'' is String, and Int is needed there"),
    (.unsupported(part: "a.b", reason: "too deep"), "'a.b' can't be run: too deep"),
    (
      .invalidPattern(part: "name.matches('(')", reason: "a ) is missing"),
      "the pattern in 'name.matches('(')' can't be used: a ) is missing"
    ),
    (.notFullText(part: "text.search('x')"), "'text.search('x')' searches for words in a property without full text"),
    (.notAProperty(part: #"\User.fullName"#), #"'\User.fullName' isn't one stored property"#),
    (.foreignCursor, "the cursor is a place in the results of another query"),
    (.overflow(part: "size"), "the sum in 'size' is beyond the range of its type"),
  ]

  @Test func eachHasItsSentence() {
    for (error, sentence) in Self.sentences {
      #expect(error.description == sentence)
      #expect(StorageError.query(error).description == "the query can't be run: " + sentence)
      // A new case needs a line above.
      switch error {
      case .syntax, .unknownType, .unknownProperty, .typeMismatch, .unsupported, .invalidPattern, .notFullText, .notAProperty,
        .foreignCursor, .overflow:
        break
      }
    }
    #expect(Set(Self.sentences.map(\.1)).count == 10)
  }

  /// Of queries that can't be run, made as apps make them.
  @Test func asTheyAreThrown() async throws {
    let bench = try await StoreBench()
    func text(_ query: String) async -> String {
      do {
        let query = try DatabaseQuery<Message>(text: query)
        return "\(try await bench.store.count(Message.self, matching: query))"
      } catch { return "\(error)" }
    }
    #expect(await text("size >") == "at byte 6 of 'size >': a property, a value or a parenthesis is missing")
    #expect(await text("age > 3") == "the query can't be run: Message has no property 'age'")
    #expect(await text(#"size == "x""#).hasPrefix("the query can't be run: '"))
    #expect(
      await text(#"text.matches("(")"#).hasPrefix("the query can't be run: the pattern in 'text.matches(\"(\")' can't be used: "))
  }
}
