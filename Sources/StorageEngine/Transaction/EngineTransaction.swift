import RawMemory
import StorageIO

/// One write transaction: pages that it changes are copied, and published together or not at all.
///
/// One thread uses it, through an `EngineWriter`, and only until it has ended. The engine's and the file's lock are held from
/// `Engine.begin` to `commit` or `abort`.
///
/// Invariants:
/// - A page whose birth is this transaction's id is its own: in `dirty`, or spilled to its final place where nobody else reads it.
/// - Every other page is another transaction's and never changes; what of them this one no longer needs is in `space.drops`.
/// - After an error in the middle of a change, trees may be half changed (`isBroken`): only a savepoint from before, or `abort`, helps.
final class EngineTransaction: PageSource {
  let engine: Engine
  let id: TransactionID
  let base: MetaPage
  let pages: PageFile
  let dirty = DirtyPageTable()
  var trees: [String: TreeWriter] = [:]
  private(set) var catalog: TreeWriter!
  private(set) var space: FreeSpace!
  var pageCount: PageNumber
  var nextTreeID: UInt32

  /// What was written already, with the checksum of its stored bytes: spilled pages and long values.
  var written: [PageNumber: UInt32] = [:]
  /// Full ones of runs of keys in order, that will hardly change again.
  var filled: [DirtyPage] = []
  /// Pages were written that a rollback made free again: they can't be told from those of the version, so all are synced before the meta page.
  var needsEarlySync = false

  /// Changes when pages leave memory or trees go back: paths that were kept are void then.
  var structureTick = 0
  var operationCount = 0
  var isBroken = false
  var hasEnded = false
  /// Whether pages of the reserve may be used: for deleting, and for committing.
  var mayUseReserve = false
  var savepoints: [Savepoint] = []
  var epoch = 0

  let scratch: ByteBuffer
  let scratch2: ByteBuffer

  init(_ engine: Engine, id: TransactionID, base: MetaPage, pages: PageFile, live: [TransactionID]) {
    self.engine = engine
    self.id = id
    self.base = base
    self.pages = pages
    pageCount = base.pageCount
    nextTreeID = base.nextTreeID
    scratch = engine.buffers.take()
    scratch2 = engine.buffers.take()
    super.init()
    catalog = TreeWriter(self, id: Catalog.treeID, root: base.catalog)
    space = FreeSpace(self, root: base.free, live: live)
  }

  /// Of what refers to this object.
  func letGo() {
    trees.removeAll()
    catalog = nil
    space = nil
  }

  var geometry: PageGeometry { pages.geometry }
  var version: TransactionID { base.id }

  override func checkUsable() throws(EngineError) {
    if hasEnded { throw .transactionEnded }
    if engine.isSuspended { throw .suspended }
  }

  /// Called before each change of a tree.
  func beginOperation() throws(EngineError) {
    try checkUsable()
    if isBroken { throw .transactionEnded }
    operationCount += 1
    if dirty.count > engine.dirtyPageCountMax { try spill() }
  }

  // MARK: Trees

  /// A tree by its name, as it is now; nil if there is none.
  func tree(_ name: String) throws(EngineError) -> Tree? { try writer(name, makes: false)?.tree }

  /// Sets a value, in a tree that is made if there is none. - Returns: whether the key is new.
  @discardableResult
  func put(_ key: borrowing RawSpan, _ value: borrowing RawSpan, in name: String) throws(EngineError) -> Bool {
    try put(key, value, in: try handle(name))
  }
  /// Removes a key. - Returns: whether it was there.
  @discardableResult
  func delete(_ key: borrowing RawSpan, in name: String) throws(EngineError) -> Bool {
    guard let writer = try writer(name, makes: false) else { return false }
    return try delete(key, in: TreeHandle(writer))
  }

  /// A tree to change many times without looking its name up.
  func handle(_ name: String) throws(EngineError) -> TreeHandle {
    guard let writer = try writer(name, makes: true) else { throw .transactionEnded }
    return TreeHandle(writer)
  }
  @discardableResult
  func put(_ key: borrowing RawSpan, _ value: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> Bool {
    try beginOperation()
    mayUseReserve = false
    do throws(EngineError) {
      return try tree.writer.put(key, value)
    } catch {
      throw failed(error)
    }
  }
  @discardableResult
  func delete(_ key: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> Bool {
    try beginOperation()
    mayUseReserve = true
    do throws(EngineError) {
      return try tree.writer.delete(key)
    } catch {
      throw failed(error)
    }
  }

  /// A copy of a value, as this transaction has it; nil without such a key. - Complexity: one descent, which a change of the key then saves.
  func value(forKey key: borrowing RawSpan, in tree: TreeHandle) throws(EngineError) -> [UInt8]? {
    try checkUsable()
    return try tree.writer.value(key)
  }

  /// Removes a tree and everything in it. - Complexity: O(pages of the tree). - Returns: whether there was one.
  @discardableResult
  func deleteTree(_ name: String) throws(EngineError) -> Bool {
    try beginOperation()
    guard let writer = try writer(name, makes: false) else { return false }
    mayUseReserve = true
    do throws(EngineError) {
      try writer.deleteAll()
      _ = try catalog.delete(Array(name.utf8).span.raw)
    } catch {
      throw failed(error)
    }
    writer.isDetached = true
    trees[name] = nil
    return true
  }

  func failed(_ error: EngineError) -> EngineError {
    switch error {
    case .keyTooLarge, .valueTooLarge, .transactionEnded, .treeDeleted, .suspended: break
    default: isBroken = true
    }
    return error
  }

  private func writer(_ name: String, makes: Bool) throws(EngineError) -> TreeWriter? {
    if let writer = trees[name] { return writer }
    try checkUsable()
    if let record = try Catalog.record(name, in: catalog.tree) {
      let writer = TreeWriter(self, id: record.id, root: record.root)
      trees[name] = writer
      return writer
    }
    guard makes else { return nil }
    if isBroken { throw .transactionEnded }
    let writer = TreeWriter(self, id: nextTreeID, root: .empty)
    nextTreeID += 1
    trees[name] = writer
    return writer
  }

  /// The names of all trees, in byte order, those made in this transaction included.
  func treeNames() throws(EngineError) -> [String] {
    try checkUsable()
    var names = Set(try Catalog.names(in: catalog.tree))
    for name in trees.keys { names.insert(name) }
    return names.sorted()
  }

  // MARK: Reading

  override var pageLimit: Int { Int(pageCount) }
  override func page(_ number: PageNumber, birth: TransactionID) throws(EngineError) -> ByteView {
    birth == id ? try ownPage(number).node.body : try engine.page(number, birth: birth, of: pages)
  }
  override func longValue(_ reference: LongReference) throws(EngineError) -> ByteView {
    try pages.checkReadable(reference.page, geometry.runPageCount(reference.byteCount))
    return try pages.longValue(reference)
  }
}

/// A tree of a transaction, to be changed.
package struct TreeHandle {
  let writer: TreeWriter
  init(_ writer: TreeWriter) { self.writer = writer }
  /// As it is now, for reading until the next change.
  package var tree: Tree { writer.tree }
}
