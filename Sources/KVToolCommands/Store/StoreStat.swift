import ObjectStorage
import StorageEngine

/// `stat` on a store: where its bytes are.
enum StoreStat {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    try StoreFile.read(invocation) { store in
      let facts = FactPrinter(invocation)
      let inspection = try StoreInspection(invocation.system, path: invocation.path)
      let snapshot = try store.engine.snapshot()
      let census = try snapshot.census()
      try facts.open(nil)
      try StoreInfo.describe(inspection, invocation.path, facts)
      try facts.add("version", number: snapshot.version)
      try facts.openGroup("pages")
      try facts.add("meta", number: census.metaPageCount)
      try facts.add("branches", number: census.trees.reduce(0) { $0 + $1.branchPageCount })
      try facts.add("leaves", number: census.trees.reduce(0) { $0 + $1.leafPageCount })
      try facts.add("longValues", number: census.trees.reduce(0) { $0 + $1.longPageCount })
      try facts.add("free", number: census.freePageCount)
      try facts.add("all", number: census.pageCount)
      try facts.close()
      try facts.openList("trees")
      let names = treeNames(store)
      for tree in census.trees { try describe(tree, names[tree.name] ?? tree.name, census.pageByteCount, facts) }
      try facts.closeList()
      try facts.close()
      return .success
    }
  }

  private static func describe(_ tree: PageCensus.Tree, _ name: String, _ pageByteCount: Int, _ facts: FactPrinter) throws {
    try facts.open(name, as: "tree")
    try facts.add("entryCount", number: tree.entryCount)
    try facts.add("levelCount", number: UInt64(tree.levelCount))
    try facts.add("branchPageCount", number: tree.branchPageCount)
    try facts.add("leafPageCount", number: tree.leafPageCount)
    if tree.longValueCount > 0 {
      try facts.add("longValueCount", number: tree.longValueCount)
      try facts.add("longPageCount", number: tree.longPageCount)
    }
    try facts.add("byteCount", number: tree.pageCount * UInt64(pageByteCount))
    let keyPages = (tree.branchPageCount + tree.leafPageCount) * UInt64(pageByteCount)
    if keyPages > 0 { try facts.add("fill", "\(tree.usedByteCount * 100 / keyPages) %") }
    try facts.close()
  }

  /// The engine's names of trees, for people.
  private static func treeNames(_ store: StoreFile) -> [String: String] {
    var names = [TreeName.schema: "schema", TreeName.ledger: "ledger of promotion", TreeName.rowNumbers: "row numbers"]
    for type in store.types {
      names[type.rowsName] = "objects of \(type.name)"
      for index in type.indexes { names[index.treeName] = "index \(index.schema.name)" }
    }
    return names
  }
}
