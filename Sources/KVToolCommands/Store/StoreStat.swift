import ObjectStorage
import StorageEngine

/// `stat`: where the bytes are.
enum Stat {
  static let command = Command(
    name: "stat", summary: "print sizes and counts; of a store, its pages by kind and tree", operands: [.mailbox],
    formats: [.text, .json], keyUse: .optional, details: "Of a mailbox the same as `info`.", handler: Info.run,
    store: StoreForm(
      operands: [.store], formats: [.text, .json],
      details: """
        Of a store, pages and bytes by kind, then for each tree its entries, levels, pages and long values. `fill` says how much of the
        pages of keys is in use.
        """,
      handler: StoreStat.run))
}

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
