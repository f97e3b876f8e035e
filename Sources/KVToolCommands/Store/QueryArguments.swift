import ObjectStorage

/// The words that `query`, `explain` and `count` share: a type, a text in the API's grammar, and options that add to it.
struct QueryArguments {
  static let operands: [Operand] = [
    .store, .type,
    Operand(
      name: "QUERY",
      documentation: "a condition, as in `age >= 18 && name.contains(\"x\") | sort -age | limit 20`; all when left out",
      isOptional: true),
  ]
  static let sort = CommandOption(
    name: "sort", value: .text("PATHS"), documentation: "order by these properties, with commas; a minus means the greatest first")
  static let offset = CommandOption(name: "offset", value: .count("N"), documentation: "leave out the first N objects")
  static let limit = CommandOption(name: "limit", value: .count("N"), documentation: "stop after N objects")
  static let options = [sort, offset, limit]

  let typeName: String
  let form: QueryForm

  init(_ invocation: Invocation) throws {
    let arguments = invocation.arguments
    typeName = arguments.operands[1]
    var form = try Self.form(arguments.operands.count > 2 ? arguments.operands[2] : "", "the query")
    if let sort = arguments.text(Self.sort) {
      for step in try Self.form("| sort \(sort)", "--sort").steps { form.append(step) }
    }
    if let count = arguments.count(Self.offset) { form.append(.offset(count)) }
    if let count = arguments.count(Self.limit) { form.append(.limit(count)) }
    self.form = form
  }

  private static func form(_ text: String, _ place: String) throws -> QueryForm {
    do throws(QueryError) { return try QueryForm(text: text) } catch {
      guard case .syntax(let text, let offset, let expected) = error else { throw StorageError.query(error) }
      throw ToolFailure.usage("\(place): expected \(expected) at byte \(offset) of '\(printable(text))'")
    }
  }

  /// The query's type, the runner and the plan, made before anything is read.
  func plan(_ store: StoreFile) throws -> (type: TypeAccess, runner: QueryRunner, plan: ExecutionPlan) {
    let type = try store.type(typeName)
    let runner = QueryRunner(store.reader, type)
    return (type, runner, try runner.plan(form))
  }
}
