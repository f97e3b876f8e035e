import RawMemory
import StorageEngine

/// Writes and removes rows of one type, and keeps its indexes with them.
struct RowEditor {
  let box: TransactionBox
  let type: TypeAccess

  init(_ box: TransactionBox, _ type: TypeAccess) {
    self.box = box
    self.type = type
  }

  /// - Returns: nil without such a row.
  func existing(_ key: [UInt8]) throws(StorageError) -> [UInt8]? { try box.value(key, in: type.rowsName) }

  /// Puts a row in the place of `old`, nil where there is none.
  ///
  /// - Throws: `duplicateKey` before anything is changed; `keyTooLarge`.
  func write(_ row: [UInt8], over old: [UInt8]?, key: [UInt8]) throws(StorageError) {
    if let old, old == row { return }
    try checkSize(key)
    var changes: [(index: IndexAccess, old: [UInt8]?, new: [UInt8])] = []
    for index in type.indexes {
      let (new, hasNil) = try entry(index, row, key)
      let before = if let old { try entry(index, old, key).key } else { [UInt8]?.none }
      if before == new { continue }
      if index.schema.isUnique, !hasNil { try checkUnique(index, new.prefix(new.count - key.count), row, key) }
      changes.append((index, before, new))
    }
    for change in changes {
      if let old = change.old { try box.delete(old, having: [], in: change.index.treeName) }
      let none: [UInt8] = []
      try box.put(change.new, none.span.raw, over: nil, in: change.index.treeName)
    }
    try box.put(key, row.span.raw, over: old, in: type.rowsName)
  }

  func remove(_ row: [UInt8], key: [UInt8]) throws(StorageError) {
    for index in type.indexes { try box.delete(try entry(index, row, key).key, having: [], in: index.treeName) }
    try box.delete(key, having: row, in: type.rowsName)
  }

  /// What an index has of a row.
  private func entry(_ index: IndexAccess, _ row: [UInt8], _ key: [UInt8]) throws(StorageError) -> (key: [UInt8], hasNil: Bool) {
    try type.entry(index, row, key, byteCountMax: box.core.engine.keyByteCountMax)
  }

  private func checkSize(_ key: [UInt8]) throws(StorageError) {
    let limit = box.core.engine.keyByteCountMax
    if key.count > limit {
      throw .keyTooLarge(property: type.schema.primaryKeyColumn?.name ?? "", byteCount: key.count, limit: limit)
    }
  }

  /// No other row may have these values.
  private func checkUnique(_ index: IndexAccess, _ values: ArraySlice<UInt8>, _ row: [UInt8], _ key: [UInt8]) throws(StorageError) {
    let prefix = Array(values)
    var cursor = try box.tree(index.treeName).cursor()
    let isThere = try storing { () throws(EngineError) in try cursor.seek(to: prefix.span.raw) }
    guard isThere else { return }
    let found = cursor.key
    guard found.starts(with: prefix), Array(found.dropFirst(prefix.count)) != key else { return }
    let texts = try readingRow { () throws(RowError) in try index.values(of: row.span.raw) }
    throw .duplicateKey(type: type.name, property: index.properties, values: texts)
  }

  /// Makes the entries of an index for the rows that are there: sorted, so that they fill the tree's pages in order.
  ///
  /// - Parameter onRow: called for each.
  /// - Throws: `duplicateKey`, naming values, when a unique index can't be.
  func build(_ index: IndexAccess, onRow: () -> Void = {}) throws(StorageError) {
    let rows = try box.tree(type.rowsName)
    let entries = try type.entries(index, rows, byteCountMax: box.core.engine.keyByteCountMax, onRow: onRow)
    let none: [UInt8] = []
    for entry in entries { try box.put(entry, none.span.raw, in: index.treeName) }
  }
}
