import RawMemory

/// Makes rows of a type's current layout from values of the app's model.
package struct RowWriter: Sendable {
  package let mapping: RowMapping

  package init(_ mapping: RowMapping) { self.mapping = mapping }

  /// A new row: every property of the value; columns that the model doesn't list have their defaults.
  package func encode<E: StorageFields>(_ object: E) throws(RowError) -> [UInt8] {
    var builder = build(object)
    return try finish(&builder)
  }

  /// A row in the place of another one.
  /// - Parameters:
  ///   - existing: that row. Columns that aren't written, and those that the model doesn't list, are its; it may have an older layout.
  ///   - properties: to write; nil writes all of them.
  /// - Throws: when the existing row is damaged or the new one too large.
  package func encode<E: StorageFields>(
    _ object: E, over existing: RawSpan, properties: [Int]? = nil
  ) throws(RowError) -> [UInt8] {
    var builder = try build(object, over: existing, properties: properties)
    return try finish(&builder)
  }

  private func build<E: StorageFields>(_ object: E) -> RowBuilder {
    var builder = RowBuilder(mapping.schema)
    let states = mapping.model.states(of: object)
    for (position, slot) in mapping.schema.current {
      if let property = mapping.properties[position] {
        append(states[property], property, position, slot, to: &builder)
      } else {
        builder.append(position, slot, default: mapping.schema)
      }
    }
    return builder
  }

  private func build<E: StorageFields>(
    _ object: E, over existing: RawSpan, properties: [Int]?
  ) throws(RowError) -> RowBuilder {
    let geometry = try mapping.schema.geometry(of: existing)
    var isWritten = [Bool](repeating: properties == nil, count: mapping.model.properties.count)
    for property in properties ?? [] { isWritten[property] = true }
    var builder = RowBuilder(mapping.schema)
    let states = mapping.model.states(of: object)
    for (position, slot) in mapping.schema.current {
      if let property = mapping.properties[position], isWritten[property] {
        append(states[property], property, position, slot, to: &builder)
        continue
      }
      let old = geometry.slot(at: position)
      switch try old.field(in: existing) {
      case .absent: builder.append(position, slot, default: mapping.schema)
      case .null: builder.append(position, slot) { _ in false }
      case .variable(let range): builder.append(slot, copying: existing.extracting(range))
      case .fixed(let offset):
        builder.append(slot, copying: existing.extracting(offset..<offset + Int(old.byteCount)))
      }
    }
    return builder
  }

  private func append(_ state: PersistedState, _ property: Int, _ position: Int, _ slot: FieldSlot, to builder: inout RowBuilder) {
    let description = mapping.model.properties[property]
    builder.append(position, slot) { description.append(state, to: &$0, fields: mapping.fields[property]) }
  }

  private func finish(_ builder: inout RowBuilder) throws(RowError) -> [UInt8] {
    if builder.byteCount >= RowError.byteCountMax {
      throw .valueTooLarge(property: builder.longest.property, byteCount: builder.longest.byteCount)
    }
    return builder.finish()
  }
}

extension RowWriter {
  /// Appends an embedded struct. One that was read keeps the columns that the model doesn't list.
  func appendEmbedded<E: StorageFields>(_ object: E, to bytes: inout [UInt8]) {
    if let row = mapping.model.row(of: object), let schema = row.layout.schema, mapping.schema.reads(rowsOf: schema) {
      let builder = row.withBytes { try? build(object, over: $0, properties: nil) }
      if var builder { return bytes.append(contentsOf: builder.finish()) }
    }
    var builder = build(object)
    bytes.append(contentsOf: builder.finish())
  }
}

extension TypeSchema {
  /// Whether it is a later form of the other one, so that rows of that are rows of this.
  func reads(rowsOf other: TypeSchema) -> Bool {
    if self === other { return true }
    return layouts.starts(with: other.layouts) && typeID == other.typeID
      && other.columns.allSatisfy { old in
        guard let new = column(id: old.id), new.kind == old.kind, new.element == old.element else { return false }
        if let inner = old.fields { return new.fields?.reads(rowsOf: inner) ?? false }
        return new.name.utf8.elementsEqual(old.name.utf8)
      }
  }
}
