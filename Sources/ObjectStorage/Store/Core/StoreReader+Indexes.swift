import RawMemory
import StorageEngine

extension StoreReader {
  /// What is wrong between rows and indexes, in words: each row has its entry in each index, and no index has others.
  ///
  /// - Complexity: O(rows x indexes).
  package func indexProblems() throws(StorageError) -> [String] {
    var problems: [String] = []
    for (_, type) in view.types.sorted(by: { $0.key < $1.key }) {
      let rows = try tree(type.rowsName)
      let rowCount = rows?.count ?? 0
      for index in type.indexes {
        let entries = try tree(index.treeName)
        if (entries?.count ?? 0) != rowCount {
          problems.append("index \(index.schema.name) has \(entries?.count ?? 0) entries for \(rowCount) objects")
        }
        guard let rows, let entries else { continue }
        try check(rows, entries, index, type, &problems)
      }
    }
    return problems
  }

  private func check(
    _ rows: Tree, _ entries: Tree, _ index: IndexAccess, _ type: TypeAccess, _ problems: inout [String]
  ) throws(StorageError) {
    var cursor = rows.cursor()
    var isThere = try storing { () throws(EngineError) in try cursor.first() }
    while isThere, problems.count < 100 {
      let key = cursor.key
      let row = try storing { () throws(EngineError) in try cursor.withValue { value throws(EngineError) in value.copied() } }
      do throws(RowError) {
        _ = try RowCheck.check(row.span.raw, schema: type.schema)
        var entry: [UInt8] = []
        _ = try index.appendColumns(of: row.span.raw, to: &entry)
        entry.append(contentsOf: key)
        if !(try contains(entries, entry)) { problems.append("index \(index.schema.name) lacks a row of \(type.name)") }
      } catch {
        problems.append("a row of \(type.name): \(error)")
      }
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
  }

  private func contains(_ tree: Tree, _ key: [UInt8]) throws(RowError) -> Bool {
    do throws(EngineError) { return try tree.contains(key.span.raw) } catch { throw .damaged(reason: .offsets) }
  }
}
