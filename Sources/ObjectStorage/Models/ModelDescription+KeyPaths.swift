extension ModelDescription {
  /// The property that a key path reads.
  /// - Throws: ``QueryError/notAProperty(part:)`` for a computed property, one of a property's value, and the whole object.
  package func propertyIndex<E: StorageFields>(_ keyPath: PartialKeyPath<E>) throws(QueryError) -> Int {
    if let known = keyPaths.property(keyPath) { return known }
    guard let property = resolve(keyPath) else { throw .notAProperty(part: String(describing: keyPath)) }
    keyPaths.insert(keyPath, property)
    return property
  }

  /// Reads the key path from values that note what is read. It is a property's own when it reads that one alone and gives what
  /// that one gave, for each of several samples.
  func resolve<E: StorageFields>(_ keyPath: PartialKeyPath<E>) -> Int? {
    let rootAndValue = Swift.type(of: keyPath)
    var found: Int?
    for sample in 0..<2 {
      let probe = KeyPathProbe(sample: sample)
      let slots = [FieldSlot](repeating: .absent, count: properties.count)
      let row = Row(probing: LayoutMapping(slots: slots, probe: probe))
      let object = materialize(E.self, row: row)
      let value = object[keyPath: keyPath]
      guard let read = probe.onlyRead, found == nil || found == read.property else { return nil }
      let type = properties[read.property].valueType
      guard rootAndValue.valueType == type, Self.storedValue(of: value, as: type) == read.value else { return nil }
      found = read.property
    }
    return found
  }

  private static func storedValue<Value: PersistableValue>(of value: Any, as type: Value.Type) -> StoredValue? {
    (value as? Value)?.storedValue
  }
}
