import Testing

@testable import ObjectStorage

/// Queries that can't be run, and the part that is named.
@Suite struct BindingTests {
  private func bind(_ text: String) throws -> BoundQuery {
    try BoundQuery(try QueryParser.form(text), schema: TypeSchema(ModelDescription.of(Sample.self), typeID: 1))
  }

  private func failure(_ text: String) throws -> QueryError? {
    do throws(QueryError) {
      let form = try QueryParser.form(text)
      _ = try BoundQuery(form, schema: try! TypeSchema(ModelDescription.of(Sample.self), typeID: 1))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("nope == 1", QueryError.unknownProperty(name: "nope", type: "Sample")),
    ("address.nope == 1", .unknownProperty(name: "nope", type: "SamplePlace")),
    ("age == \"x\"", .typeMismatch(part: "age == \"x\"", expected: "Int", actual: "String")),
    ("age > 3.5", .typeMismatch(part: "age > 3.5", expected: "Int", actual: "a number")),
    ("flag && age", .typeMismatch(part: "age", expected: "Bool", actual: "Int")),
    ("name.in([1])", .typeMismatch(part: "name.in([1])", expected: "String", actual: "an integer")),
    ("age.starts(with: \"x\")", .typeMismatch(part: "age", expected: "String", actual: "Int")),
    ("age.count == 1", .typeMismatch(part: "age", expected: "a collection", actual: "Int")),
    ("tags.sum == 1", .typeMismatch(part: "tags.sum", expected: "elements that are numbers", actual: "String")),
    ("age == name", .typeMismatch(part: "name", expected: "Int", actual: "String")),
    ("name.matches(\"(\")", .invalidPattern(part: "name.matches(\"(\")", reason: "a ( without its ), at character 1")),
    ("name.in(Nobody { }, of: x)", .unknownType(name: "Nobody")),
    ("scores == 1", .unsupported(part: "scores", reason: "a whole List<Int> isn't compared; ask about its elements or properties")),
    ("places.any(name == \"x\")", .unknownProperty(name: "name", type: "SamplePlace")),
    ("| sort scores", .typeMismatch(part: "scores", expected: "a value with an order", actual: "List<Int>")),
    ("| sort places.street", .unsupported(part: "places.street", reason: "a value of each element gives an object no place")),
    ("| after \"0000\"", .foreignCursor),
    ("token == \"x\"", .typeMismatch(part: "token == \"x\"", expected: "UUID?", actual: "String")),
    ("moment > 5", .typeMismatch(part: "moment > 5", expected: "Date", actual: "an integer")),
    ("name[\"x\"] == 1", .typeMismatch(part: "name", expected: "Map", actual: "String")),
    ("1 == \"x\" && nope", .unknownProperty(name: "nope", type: "Sample")),
  ])
  func namesThePart(_ text: String, _ expected: QueryError) throws {
    #expect(try failure(text) == expected)
  }

  @Test(arguments: [
    "age == 300 && small == 300", "3 < age", "price == 1.5 && price > 1", "score == 3", "age == 3.0",
    "token == \"00000000-0000-0000-0000-000000000001\"",
    "big > -1 && age < 18446744073709551615", "age == score", "(age > 3) == flag", "scores.isEmpty == false",
    "attributes.values.any($0 > small)", "true",
  ])
  func coerces(_ text: String) throws {
    if text.contains("> small") {
      #expect(try failure(text) == .typeMismatch(part: "$0", expected: "an embedded struct", actual: "Int"))
    } else {
      _ = try bind(text)
    }
  }

  @Test func depthIsBounded() throws {
    var expression = QueryExpression.property(of: .element(scope: 0), name: "flag")
    for _ in 0..<10_000 { expression = .not(expression) }
    let form = QueryForm().appending(.filter(expression))
    #expect(throws: QueryError.self) { try BoundQuery(form, schema: TypeSchema(ModelDescription.of(Sample.self), typeID: 1)) }
  }

  @Test func subqueriesAreChecked() throws {
    let schema = try TypeSchema(ModelDescription.of(Sample.self), typeID: 1)
    let form = try QueryParser.form("name.in(Sample { nope == 1 }, of: name)")
    #expect(throws: QueryError.unknownProperty(name: "nope", type: "Sample")) {
      try BoundQuery(form, schema: schema, schemas: ["Sample": schema])
    }
    let mismatch = try QueryParser.form("name.in(Sample { }, of: age)")
    #expect(throws: QueryError.self) { try BoundQuery(mismatch, schema: schema, schemas: ["Sample": schema]) }
  }
}
