import RawMemory
import StorageEngine

extension TypeAccess {
  /// What an index has of a row, and whether one of the values is nil.
  /// - Throws: `keyTooLarge`, of what takes most of the entry.
  func entry(
    _ index: IndexAccess, _ row: [UInt8], _ key: [UInt8], byteCountMax: Int
  ) throws(StorageError) -> (key: [UInt8], hasNil: Bool) {
    var entry: [UInt8] = []
    entry.reserveCapacity(key.count + index.byteCountUsual)
    let hasNil = try readingRow { () throws(RowError) in try index.appendColumns(of: row.span.raw, to: &entry) }
    entry.append(contentsOf: key)
    if entry.count > byteCountMax { throw try tooLarge(index, row, key, by: entry.count - byteCountMax) }
    return (entry, hasNil)
  }

  private func tooLarge(_ index: IndexAccess, _ row: [UInt8], _ key: [UInt8], by surplus: Int) throws(StorageError) -> StorageError
  {
    var (property, byteCount) = (schema.primaryKeyColumn?.name ?? "", key.count)
    for part in try readingRow({ () throws(RowError) in try index.parts(of: row.span.raw) }) where part.byteCount > byteCount {
      (property, byteCount) = part
    }
    return .keyTooLarge(property: property, byteCount: byteCount, limit: byteCount - surplus)
  }

  /// What an index has of all rows, in its order.
  ///
  /// - Parameter onRow: called for each.
  /// - Throws: `duplicateKey`, naming values, where the index is unique and they are not.
  func entries(
    _ index: IndexAccess, _ rows: Tree, byteCountMax: Int, onRow: () -> Void = {}
  ) throws(StorageError) -> [[UInt8]] {
    var entries: [(entry: [UInt8], keyByteCount: Int, hasNil: Bool)] = []
    var cursor = rows.cursor()
    var isThere = try storing { () throws(EngineError) in try cursor.first() }
    while isThere {
      let key = cursor.key
      let row = try storing { () throws(EngineError) in try cursor.withValue { value throws(EngineError) in value.copied() } }
      let (entry, hasNil) = try entry(index, row, key, byteCountMax: byteCountMax)
      entries.append((entry, key.count, hasNil))
      onRow()
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
    entries.sort { $0.entry.compareBytes(with: $1.entry) < 0 }
    if index.schema.isUnique {
      var previous: [UInt8]?
      for (entry, keyByteCount, hasNil) in entries {
        let values = Array(entry.dropLast(keyByteCount))
        if !hasNil, values == previous { throw try duplicate(index, rows, Array(entry.suffix(keyByteCount))) }
        previous = hasNil ? nil : values
      }
    }
    return entries.map(\.entry)
  }

  private func duplicate(_ index: IndexAccess, _ rows: Tree, _ key: [UInt8]) throws(StorageError) -> StorageError {
    let row = try storing { () throws(EngineError) in try rows.value(forKey: key.span.raw) } ?? []
    let texts = try readingRow { () throws(RowError) in try index.values(of: row.span.raw) }
    return .duplicateKey(type: name, property: index.properties, values: texts)
  }
}
