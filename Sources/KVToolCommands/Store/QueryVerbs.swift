import ObjectStorage

/// `query`: objects of one type that a condition holds for.
enum QueryVerb {
  static let command = Command(
    name: "query", summary: "print the objects of a store that a condition holds for", operands: QueryArguments.operands,
    options: QueryArguments.options, formats: [.text, .json, .jsonl, .csv], keyUse: .whenEncrypted,
    details: """
      The condition and its steps are in the grammar of the API's queries: == != < <= > >=, && || !, .contains() .starts(with:) .in([…])
      and so on, then `| sort PATHS | distinct PATH | limit N | offset N`. One line for each object: `name=value` with tabs between.
      In csv an empty cell is nil, and "" an empty text.
      """,
    subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let query = try QueryArguments(invocation)
    return try StoreFile.read(invocation) { store in
      let (type, runner, plan) = try query.plan(store)
      let objects = ObjectReader(store, type)
      let printer = ObjectPrinter(invocation, names: objects.names)
      let keys = try runner.keys(plan).keys
      try printer.begin()
      for key in keys {
        try ToolFailure.checkInterruption()
        if let object = try objects.object(key) { try printer.print(object) }
      }
      try printer.end()
      return .success
    }
  }
}

/// `explain`: how a query is run.
enum Explain {
  static let command = Command(
    name: "explain", summary: "run a query on a store and say how: index, range, filters, rows looked at",
    operands: QueryArguments.operands, options: QueryArguments.options, keyUse: .whenEncrypted, subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let query = try QueryArguments(invocation)
    return try StoreFile.read(invocation) { store in
      let (_, runner, plan) = try query.plan(store)
      for line in try runner.explain(plan).description.split(separator: "\n") {
        try invocation.output.line(printable(String(line)))
      }
      return .success
    }
  }
}

/// `count`: how many objects a query gives.
enum Count {
  static let command = Command(
    name: "count", summary: "count the objects of a store that a condition holds for", operands: QueryArguments.operands,
    options: QueryArguments.options, keyUse: .whenEncrypted, subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let query = try QueryArguments(invocation)
    return try StoreFile.read(invocation) { store in
      let (_, runner, plan) = try query.plan(store)
      try invocation.output.line("\(try runner.count(plan))")
      return .success
    }
  }
}
