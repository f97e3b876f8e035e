import RawMemory
import StorageEngine

/// The rows of a type in one version, by their keys: their tree is looked up once.
///
/// Of a snapshot, which several threads may read, or for use where its transaction is.
struct RowSource: @unchecked Sendable {
  private let tree: Tree?
  private let mapping: RowMapping
  let typeName: String

  /// - Throws: `typeNotListed`.
  init(_ runner: QueryRunner) throws(StorageError) {
    guard let mapping = runner.type.mapping else { throw .typeNotListed(type: runner.type.name) }
    self.mapping = mapping
    tree = try runner.reader.tree(runner.type.rowsName)
    typeName = runner.type.name
  }

  /// A row, copied out. - Returns: nil without such a row.
  func row(_ key: RawSpan) throws(StorageError) -> Row? {
    guard let tree, let value = try storing({ () throws(EngineError) in try tree.valueView(forKey: key) }) else { return nil }
    return try row(value.bytes(0..<value.count), key)
  }

  /// The bytes of rows that will be asked for; what can't be found now isn't there, and is looked for again when it is.
  func bytes(_ keys: ArraySlice<[UInt8]>) -> [ByteView?] {
    guard let tree, keys.count > 1 else { return [] }
    do throws(EngineError) { return try tree.valueViews(forKeys: keys) } catch { return [] }
  }

  /// - Throws: when there is no such row, though an index or a key found before says so.
  func knownRow(_ key: RawSpan) throws(StorageError) -> Row {
    guard let row = try row(key) else { throw missing }
    return row
  }

  /// A row whose bytes were found already.
  func row(_ bytes: RawSpan, _ key: RawSpan) throws(StorageError) -> Row {
    try readingRow { () throws(RowError) in try Row(copying: bytes, key: key, mapping: mapping) }
  }

  var missing: StorageError { .corrupted(page: 0, reason: "a row of \(typeName) isn't where its index says") }
}
