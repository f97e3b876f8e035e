import RawMemory

/// One committed version, for as long as it is held: takes no lock, blocks nobody, is blocked by nobody.
///
/// While it is held, its pages stay; of what was written after it, nothing does. Sendable: several threads may read through one.
package final class Snapshot: PageSource, @unchecked Sendable {
  package let engine: Engine
  let meta: MetaPage
  let pages: PageFile
  private let trees: KnownTrees

  init(_ engine: Engine, _ meta: MetaPage, _ pages: PageFile, _ trees: KnownTrees) {
    self.engine = engine
    self.meta = meta
    self.pages = pages
    self.trees = trees
  }

  deinit { engine.unpin(meta.id) }

  package var version: TransactionID { meta.id }
  /// Microseconds since 1970.
  package var commitTime: Int64 { meta.commitTime }
  /// Pages in the file as this version knows it, free ones and meta pages included.
  package var pageCount: Int { Int(meta.pageCount) }
  override var pageLimit: Int { pageCount }
  package var freePageCount: UInt64 { meta.free.count }

  /// A tree by its name; nil if there is none.
  package func tree(_ name: String) throws(EngineError) -> Tree? {
    guard let record = try record(name) else { return nil }
    return try Tree(keepingRootOf: self, record.root, id: record.id)
  }

  /// Of a tree by its name, without reading it; nil if there is none.
  package func treeIdentity(_ name: String) throws(EngineError) -> TreeIdentity? {
    try record(name).map { TreeIdentity(page: $0.root.page, birth: $0.root.birth) }
  }

  private func record(_ name: String) throws(EngineError) -> Catalog.Record? {
    if let known = trees.record(name) { return known }
    let record = try Catalog.record(name, in: catalog)
    trees.insert(name, record)
    return record
  }

  /// The names of all trees, in byte order.
  package func treeNames() throws(EngineError) -> [String] { try Catalog.names(in: catalog) }

  var catalog: Tree { Tree(self, meta.catalog, id: Catalog.treeID) }
  var freeTree: Tree { Tree(self, meta.free, id: Catalog.freeTreeID) }

  override func page(_ number: PageNumber, birth: TransactionID) throws(EngineError) -> ByteView {
    guard number >= pages.geometry.firstPage, number < meta.pageCount, birth <= meta.id else {
      throw .corrupted(page: number, reason: "a page that this version can't have")
    }
    return try engine.page(number, birth: birth, of: pages)
  }
  override func prefetch(_ number: PageNumber, birth: TransactionID) {
    if number < meta.pageCount { pages.prefetch(number, birth: birth) }
  }
  override func longValue(_ reference: LongReference) throws(EngineError) -> ByteView {
    let count = pages.geometry.runPageCount(reference.byteCount)
    guard reference.page >= pages.geometry.firstPage, UInt64(reference.page) + UInt64(count) <= UInt64(meta.pageCount) else {
      throw .corrupted(page: reference.page, reason: "a long value that this version can't have")
    }
    try pages.checkReadable(reference.page, count)
    return try pages.longValue(reference)
  }
}
