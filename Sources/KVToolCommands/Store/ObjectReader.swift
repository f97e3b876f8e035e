import ObjectStorage
import RawMemory
import StorageEngine

/// Objects of one type, read by the schema in the file.
struct ObjectReader {
  let store: StoreFile
  let type: TypeAccess
  private let columns: [ColumnAccess]
  private var runner: QueryRunner { QueryRunner(store.reader, type) }

  init(_ store: StoreFile, _ type: TypeAccess) {
    self.store = store
    self.type = type
    columns = type.schema.currentColumns.map { ColumnAccess(type.schema, column: $0.id) }
  }

  var names: [String] { columns.map(\.column.name) }

  /// An object by its row's key; nil without one.
  func object(_ key: [UInt8]) throws -> [StoredValue.Entry]? {
    try runner.withRow(key) { row throws(StorageError) in
      do throws(RowError) { return try entries(row) } catch { throw StorageError(error) }
    }
  }

  private func entries(_ row: RawSpan) throws(RowError) -> [StoredValue.Entry] {
    var entries: [StoredValue.Entry] = []
    entries.reserveCapacity(columns.count)
    for column in columns { entries.append(StoredValue.Entry(column.column.name, try column.value(in: row))) }
    return entries
  }

  private func result(_ row: RawSpan) -> Result<[StoredValue.Entry], RowError> {
    do throws(RowError) { return .success(try entries(row)) } catch { return .failure(error) }
  }

  /// The row's number, which a type without a primary key has for its key.
  func number(_ key: [UInt8]) -> UInt64? {
    guard type.schema.primaryKey == nil, key.count == 8 else { return nil }
    return key.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Every object in key order, one at a time. What can't be read is told to `damage` and left out.
  func forEach(_ body: ([UInt8], [StoredValue.Entry]) throws -> Void, damage: (String) -> Void) throws {
    guard let tree = try store.reader.tree(type.rowsName) else { return }
    var position: UInt64 = 0
    var cursor = tree.cursor()
    var isThere = try arrive(&cursor, tree, at: &position, damage)
    while isThere {
      try ToolFailure.checkInterruption()
      let key = cursor.key
      do {
        let found = try cursor.withValue { value throws(EngineError) in result(value) }
        try body(key, try found.get())
      } catch let error as RowError {
        damage("\(type.name): \(StorageError(error))")
      } catch let error as EngineError {
        guard case .corrupted = error else { throw error }
        damage("\(type.name): \(StorageError(error))")
      }
      position += 1
      isThere = try next(&cursor) ?? arrive(&cursor, tree, at: &position, damage)
    }
  }

  /// Goes to the first entry from a position on that can be reached, and tells what was passed over.
  private func arrive(
    _ cursor: inout TreeCursor, _ tree: Tree, at position: inout UInt64, _ damage: (String) -> Void
  ) throws -> Bool {
    let start = position
    var reason: String?
    var isThere = false
    while position < tree.count {
      try ToolFailure.checkInterruption()
      cursor = tree.cursor()
      guard let fault = try seek(&cursor, position) else {
        isThere = true
        break
      }
      reason = reason ?? fault
      position += 1
    }
    if let reason { damage("\(type.name): \(counted(position - start, "object")) left out: \(reason)") }
    return isThere
  }

  /// - Returns: what is damaged on the way; nil when the cursor is there.
  private func seek(_ cursor: inout TreeCursor, _ position: UInt64) throws(EngineError) -> String? {
    do throws(EngineError) {
      _ = try cursor.seek(toPosition: position)
      return nil
    } catch {
      return try reason(error)
    }
  }

  /// - Returns: whether there is a next entry; nil when what lies between is damaged.
  private func next(_ cursor: inout TreeCursor) throws(EngineError) -> Bool? {
    do throws(EngineError) { return try cursor.next() } catch {
      _ = try reason(error)
      return nil
    }
  }

  private func reason(_ error: EngineError) throws(EngineError) -> String {
    guard case .corrupted(let page, let reason) = error else { throw error }
    return "page \(page) is damaged: \(reason)"
  }
}
