import ObjectStorage

/// `dump` on a store: each type's schema and each object as a line of JSON.
enum StoreDump {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    let output = invocation.output
    return try StoreFile.read(invocation) { store in
      let notes = DamageNotes(path: invocation.path)
      for type in store.types {
        try output.write("{\"type\":")
        try output.write(json: type.name)
        try output.write(",\"schema\":")
        try SchemaText.write(type.schema, to: output)
        try output.write("}")
        try output.endLine()
        let objects = ObjectReader(store, type)
        try objects.forEach(
          { key, object in
            try output.write("{\"type\":")
            try output.write(json: type.name)
            if let number = objects.number(key) {
              try output.write(",\"row\":")
              try output.write(json: number)
            }
            try output.write(",\"object\":")
            try output.write(json: object)
            try output.write("}")
            try output.endLine()
          }, damage: { notes.add($0) })
      }
      try output.flush()
      return notes.finish()
    }
  }
}
