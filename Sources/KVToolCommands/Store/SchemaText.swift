import ObjectStorage

/// A type's description, for people and as JSON.
enum SchemaText {
  static func write(_ schema: TypeSchema, to output: Output) throws {
    try output.write("{\"properties\":")
    try write(schema.currentColumns, of: schema, to: output)
    try output.write(",\"indexes\":[")
    for (index, entry) in schema.indexes.enumerated() {
      if index > 0 { try output.write(",") }
      try output.write("{\"properties\":[")
      for (position, name) in names(of: entry, in: schema).enumerated() {
        if position > 0 { try output.write(",") }
        try output.write(json: name)
      }
      try output.write("],\"isUnique\":\(entry.isUnique)}")
    }
    try output.write("]}")
  }

  private static func write(_ columns: [ColumnSchema], of schema: TypeSchema, to output: Output) throws {
    try output.write("[")
    for (index, column) in columns.enumerated() {
      if index > 0 { try output.write(",") }
      try output.write("{\"name\":")
      try output.write(json: column.name)
      try output.write(",\"type\":")
      try output.write(json: column.typeName)
      if column.id == schema.primaryKey { try output.write(",\"isPrimaryKey\":true") }
      if column.isFullText { try output.write(",\"isFullText\":true") }
      if column.defaultValue != .null {
        try output.write(",\"default\":")
        try output.write(json: column.defaultValue)
      }
      if let fields = column.fields {
        try output.write(",\"properties\":")
        try write(fields.currentColumns, of: fields, to: output)
      }
      try output.write("}")
    }
    try output.write("]")
  }

  static func names(of index: IndexSchema, in schema: TypeSchema) -> [String] {
    index.columns.map { schema.column(id: $0)?.name ?? "?" }
  }

  static func printLines(_ schema: TypeSchema, count: UInt64, to output: Output) throws {
    try output.line("\(printable(schema.name)): \(counted(count, "object"))")
    try printLines(schema.currentColumns, of: schema, indent: "  ", to: output)
    for index in schema.indexes {
      let names = names(of: index, in: schema).map(printable).joined(separator: ", ")
      try output.line("  \(index.isUnique ? "unique index" : "index") on \(names)")
    }
  }

  private static func printLines(_ columns: [ColumnSchema], of schema: TypeSchema, indent: String, to output: Output) throws {
    for column in columns {
      var line = "\(indent)\(printable(column.name)): \(column.typeName)"
      if column.id == schema.primaryKey { line += ", primary key" }
      if column.isFullText { line += ", full text" }
      if column.defaultValue != .null, column.id != schema.primaryKey { line += " = \(defaultText(column.defaultValue))" }
      try output.line(line)
      if let fields = column.fields { try printLines(fields.currentColumns, of: fields, indent: indent + "  ", to: output) }
    }
  }

  private static func defaultText(_ value: StoredValue) -> String {
    if case .string = value { return "\"\(StoredText.text(value))\"" }
    return StoredText.text(value)
  }
}

/// `schema`: the types of a store, without the app's code.
enum Schema {
  static let command = Command(
    name: "schema", summary: "print the types of a store: properties, keys, indexes, the schema's version", operands: [.store],
    formats: [.text, .json], keyUse: .whenEncrypted, subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let output = invocation.output
    return try StoreFile.read(invocation) { store in
      guard invocation.format == .json else {
        try output.line("schema version: \(store.reader.view.version)")
        for type in store.types { try SchemaText.printLines(type.schema, count: try store.count(type), to: output) }
        return .success
      }
      try output.write("{\"version\":")
      try output.write(json: store.reader.view.version)
      try output.write(",\"types\":{")
      for (index, type) in store.types.enumerated() {
        if index > 0 { try output.write(",") }
        try output.write(json: type.name)
        try output.write(":")
        try SchemaText.write(type.schema, to: output)
      }
      try output.line("}}")
      return .success
    }
  }
}
