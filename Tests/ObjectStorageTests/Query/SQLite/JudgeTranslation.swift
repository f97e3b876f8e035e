@testable import ObjectStorage

/// Writes a query as SQL. Its steps are tables of ids, each of which is made from the one before.
struct JudgeTranslation {
  /// Of the statement's parameters, `?1` and so on.
  private(set) var values: [JudgeValue] = []
  private var nameCount = 0

  mutating func parameter(_ value: JudgeValue) -> String {
    values.append(value)
    return "?\(values.count)"
  }
  mutating func name(_ prefix: String) -> String {
    nameCount += 1
    return "\(prefix)\(nameCount)"
  }

  /// A statement that gives the ids of the results, in their order.
  mutating func select(_ form: QueryForm) throws -> String {
    let row = name("row")
    let rows = "SELECT \(row).id FROM sample AS \(row)"
    let scopes = [JudgeItem.row(row)]
    var tables = ["all_ AS (\(rows))"]
    var last = "all_"
    var order = "\(row).id"
    var sorts: [String] = []
    for step in form.steps {
      let own = "\(rows) WHERE \(row).id IN (SELECT id FROM \(last))"
      let table: String
      switch step {
      case .filter(let condition): table = "\(own) AND \(try self.condition(condition, scopes))"
      case .sort(let more):
        for sort in more { sorts.append("\(try column(sort.expression, scopes).sql) \(sort.ascending ? "ASC" : "DESC")") }
        order = (sorts + ["\(row).id"]).joined(separator: ", ")
        continue
      case .distinct(let expression):
        let value = try column(expression, scopes).sql
        table = """
          SELECT id FROM (SELECT \(row).id AS id, row_number() OVER (PARTITION BY \(value) ORDER BY \(order)) AS place
          FROM sample AS \(row) WHERE \(row).id IN (SELECT id FROM \(last))) WHERE place = 1
          """
      case .limit(let count): table = "\(own) ORDER BY \(order) LIMIT \(count)"
      case .offset(let count): table = "\(own) ORDER BY \(order) LIMIT -1 OFFSET \(count)"
      case .after: throw JudgeError(reason: "a cursor is the store's own")
      }
      last = name("step")
      tables.append("\(last) AS (\(table))")
    }
    return "WITH \(tables.joined(separator: ",\n")) \(rows) WHERE \(row).id IN (SELECT id FROM \(last)) ORDER BY \(order)"
  }

  /// A value as it is stored in columns of a kind.
  func stored(_ value: StoredValue, as kind: JudgeColumn.Kind) throws -> JudgeValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .integer(value ? 1 : 0)
    case .int(let value): return kind != .unsigned ? .integer(value) : value < 0 ? .blob([]) : JudgeTable.unsigned(UInt64(value))
    case .uint(let value): return JudgeTable.unsigned(value)
    case .double(let value): return JudgeTable.real(value)
    case .date(let value): return .real(value)
    case .decimal(let value): return JudgeTable.decimal(value)
    case .string(let value): return JudgeTable.text(value)
    case .data(let value): return .blob(value)
    case .uuid(let value): return JudgeTable.uuid(value)
    case .list, .map, .object: throw JudgeError(reason: "a literal that isn't one value")
    }
  }
}

/// An expression of SQL, and what has to be known of its values.
struct JudgeColumn {
  enum Kind {
    case plain
    /// May be NaN.
    case double
    case unsigned
  }
  let sql: String
  let kind: Kind

  init(_ sql: String, _ kind: Kind = .plain) {
    self.sql = sql
    self.kind = kind
  }
}

/// What a scope of a query stands for.
enum JudgeItem {
  /// A row of `sample`, by its alias.
  case row(String)
  /// A row of `places`, by its alias.
  case place(String)
  case value(JudgeColumn)
}

/// The elements of a collection: a table under an alias, and which of its rows.
struct JudgeSource {
  let table: String
  let alias: String
  var condition: String
  var item: JudgeItem

  func exists(_ condition: String) -> String {
    "EXISTS (SELECT 1 FROM \(table) AS \(alias) WHERE \(self.condition) AND \(condition))"
  }
  func select(_ sql: String, where condition: String = "1") -> String {
    "(SELECT \(sql) FROM \(table) AS \(alias) WHERE \(self.condition) AND \(condition))"
  }
}
