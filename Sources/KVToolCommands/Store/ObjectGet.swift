import ObjectStorage

/// `get` on a store: one object by its key.
enum ObjectGet {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    let operands = invocation.arguments.operands
    return try StoreFile.read(invocation) { store in
      let objects = ObjectReader(store, try store.type(operands[1]))
      guard let object = try objects.object(try key(operands[2], objects.type, invocation)) else {
        Diagnostics.report("no \(printable(objects.type.name)) has this id", path: invocation.path)
        return .no
      }
      if invocation.format == .text {
        for entry in object { try invocation.output.line("\(printable(entry.name)): \(StoredText.text(entry.value))") }
      } else {
        try invocation.output.write(json: object)
        try invocation.output.endLine()
      }
      return .success
    }
  }

  private static func key(_ text: String, _ type: TypeAccess, _ invocation: Invocation) throws -> [UInt8] {
    guard let column = type.schema.primaryKeyColumn else {
      guard let number = UInt64(text) else {
        throw ToolFailure.usage(
          "\(printable(type.name)) has no primary key; its objects are numbered, and '\(printable(text))' is no number")
      }
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
    guard let key = type.key(try StoredText.key(text, column, invocation.system)) else {
      throw ToolFailure.usage("'\(printable(text))' is no \(column.kind.swiftName), which the key is")
    }
    return key
  }
}

/// `ls` on a store: its types.
enum TypeList {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    try StoreFile.read(invocation) { store in
      let (output, format) = (invocation.output, invocation.format)
      if format == .csv { try output.line("type,count") }
      if format == .json { try output.write("[") }
      for (index, type) in store.types.enumerated() {
        let count = try store.count(type)
        switch format {
        case .json, .jsonl:
          if format == .json { try output.write(index == 0 ? "\n" : ",\n") }
          try output.write("{\"type\":")
          try output.write(json: type.name)
          try output.write(",\"count\":")
          try output.write(json: count)
          try output.write("}")
          if format == .jsonl { try output.endLine() }
        case .csv:
          try output.write(csvCell: printable(type.name))
          try output.line(",\(count)")
        case .text, .hex, .prometheus: try output.line("\(count)\t\(printable(type.name))")
        }
      }
      if format == .json { try output.line("\n]") }
      return .success
    }
  }
}
