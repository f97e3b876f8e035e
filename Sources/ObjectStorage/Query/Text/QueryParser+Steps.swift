extension QueryParser {
  /// Up to the end, or to a brace that closes it.
  mutating func form() throws(QueryError) -> QueryForm {
    try enter()
    var form = QueryForm()
    if !token.isSymbol("|"), !token.isSymbol("}"), token.kind != .end { form.append(.filter(try condition())) }
    while try take("|") { form.append(try step()) }
    leave()
    return form
  }

  private mutating func step() throws(QueryError) -> QueryStep {
    let offset = token.offset
    let expected = "where, sort, distinct, limit, offset or after"
    switch try name(expected) {
    case "where": return .filter(try condition())
    case "sort": return .sort(try sorts())
    case "distinct": return .distinct(try path())
    case "limit": return .limit(try rowCount())
    case "offset": return .offset(try rowCount())
    case "after":
      let start = token.offset
      guard let bytes = Hexadecimal.bytes(try string("a cursor's bytes, in quotes")) else {
        throw failure(at: start, "bytes in hexadecimal")
      }
      return .after(StorageCursor(bytes: bytes))
    default: throw failure(at: offset, expected)
    }
  }

  private mutating func sorts() throws(QueryError) -> [QuerySort] {
    var sorts: [QuerySort] = []
    repeat {
      let descends = try take("-")
      sorts.append(QuerySort(try path(), ascending: !descends))
    } while try take(",")
    return sorts
  }

  private mutating func rowCount() throws(QueryError) -> Int {
    guard case .number(.int(let value)) = token.kind, value >= 0 else { throw failure("a number of objects") }
    try advance()
    return Int(value)
  }

  /// `Type { query }, of: property`.
  mutating func subquery() throws(QueryError) -> QuerySubquery {
    let typeName = try name("a list in brackets or the name of a type")
    try expect("{")
    let outer = scope
    scope = 0
    let form = try form()
    scope = outer
    try expect("}", "| or }")
    try expect(",")
    try expectWord("of")
    try expect(":")
    return QuerySubquery(typeName: typeName, form: form, property: try name("a property"))
  }
}
