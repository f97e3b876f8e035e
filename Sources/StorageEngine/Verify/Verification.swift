import RawMemory
import StorageIO

/// What verifying found.
package struct EngineVerification: Sendable {
  package fileprivate(set) var pageCount: UInt64 = 0
  package fileprivate(set) var entryCount: UInt64 = 0
  package fileprivate(set) var freePageCount: UInt64 = 0
  /// In words, with the page; the first 100.
  package fileprivate(set) var problems: [String] = []
  package fileprivate(set) var problemCount = 0
  /// What isn't wrong with the version, and is worth knowing.
  package fileprivate(set) var notes: [String] = []
  package var isClean: Bool { problemCount == 0 }
}

extension Snapshot {
  /// Reads every page of this version from the file and checks it: checksum or tag, order of keys, counts, levels, and that each page is either
  /// reachable, once, or free, once.
  ///
  /// - Parameter progress: called now and then with pages done and pages in all; false stops.
  /// - Complexity: O(file); memory for one bit a page. Never writes, takes no lock.
  package func verify(progress: @escaping (UInt64, UInt64) -> Bool = { _, _ in true }) throws(EngineError) -> EngineVerification {
    var verifier = try Verifier(self, progress: progress)
    try verifier.run()
    if let note = try noteOfDroppedCommit() { verifier.report.notes.append(note) }
    return verifier.report
  }

  /// Which commit opening passed over, and why, for as long as the file has its meta page: the next commit overwrites that.
  private func noteOfDroppedCommit() throws(EngineError) -> String? {
    guard let dropped = engine.droppedVersion else { return nil }
    let metas = try MetaPages.read(pages.file, header: engine.header, cipher: engine.cipher)
    guard let meta = metas.pages.first(where: { $0.id == dropped }) else { return nil }
    let buffer = ByteBuffer(count: pages.geometry.pageByteCount)
    guard let fault = try CurrentVersion.fault(of: meta, pages, engine.bootIdentity, buffer) else { return nil }
    return "the commit of version \(dropped) was cut off or is damaged, and the one before it is current: \(fault)"
  }
}

/// One walk over a version.
private struct Verifier {
  private let snapshot: Snapshot
  /// Of its own, so that nothing counts as checked already.
  private let pages: PageFile
  private let progress: (UInt64, UInt64) -> Bool
  var report = EngineVerification()
  private var seen: [UInt64]
  /// Pages that the version knows of and that the file has: free ones may be missing at its end.
  private let pageLimit: UInt64
  /// Below what couldn't be read there are pages that nobody knows of.
  private var hasUnreadParts = false
  private var isStopped = false

  init(_ snapshot: Snapshot, progress: @escaping (UInt64, UInt64) -> Bool) throws(EngineError) {
    self.snapshot = snapshot
    self.progress = progress
    let engine = snapshot.engine
    pages = PageFile(
      snapshot.pages.file, geometry: engine.header.geometry, fileID: engine.header.fileID, cipher: engine.cipher, sealer: nil,
      cacheByteCountMax: 64 * engine.header.pageByteCount, mapsPages: false, reportsReuse: engine.options.reportsReuse)
    let status = try naming(engine.path) { () throws(SystemError) in try snapshot.pages.file.status() }
    pageLimit = min(UInt64(snapshot.meta.pageCount), status.byteCount / UInt64(engine.header.pageByteCount))
    seen = [UInt64](repeating: 0, count: Int(pageLimit) / 64 + 1)
  }

  mutating func run() throws(EngineError) {
    let meta = snapshot.meta
    try check(meta.catalog, tree: Catalog.treeID, name: "the catalogue")
    try check(meta.free, tree: Catalog.freeTreeID, name: "the free tree")
    if !hasUnreadParts { try reporting("the catalogue") { walk throws(EngineError) in try walk.checkTrees() } }
    if !hasUnreadParts { try reporting("the free tree") { walk throws(EngineError) in try walk.checkFree() } }
    if !hasUnreadParts, !isStopped { checkLeaks() }
  }

  /// What a walk along the entries of a tree comes to, if its pages can't be followed: a problem that is noted as the others are.
  private mutating func reporting(
    _ name: String, _ body: (inout Verifier) throws(EngineError) -> Void
  ) throws(EngineError) {
    do throws(EngineError) { try body(&self) } catch {
      guard case .corrupted(let page, let reason) = error else { throw error }
      hasUnreadParts = true
      problem("page \(page) of \(name): \(reason)")
    }
  }

  private mutating func problem(_ text: String) {
    report.problemCount += 1
    if report.problems.count < 100 { report.problems.append(text) }
  }

  private mutating func checkTrees() throws(EngineError) {
    var cursor = snapshot.catalog.cursor()
    var isThere = try cursor.first()
    while isThere, !isStopped {
      let record = try cursor.withValue { value throws(EngineError) in try Catalog.record(value) }
      try check(record.root, tree: record.id, name: "tree '\(cursor.withKey { $0.decodedString() })'")
      isThere = try cursor.next()
    }
  }

  private mutating func check(_ root: TreeRoot, tree: UInt32, name: String) throws(EngineError) {
    if root.page == 0 {
      if root.count != 0 { problem("\(name) has no pages and \(root.count) entries") }
      return
    }
    let reference = ChildReference(page: root.page, birth: root.birth, count: root.count)
    try check(reference, level: root.level, tree: tree, name: name, from: nil, to: nil)
  }

  /// A page and everything below it; its keys are at or above `lower` and below `upper`.
  private mutating func check(
    _ reference: ChildReference, level: UInt8, tree: UInt32, name: String, from lower: [UInt8]?, to upper: [UInt8]?
  ) throws(EngineError) {
    if isStopped { return }
    guard mark(reference.page, 1, name) else { return }
    let node: NodeView
    do throws(EngineError) {
      try pages.checkReadable(reference.page, 1)
      node = NodeView(try pages.page(reference.page, birth: reference.birth))
    } catch {
      hasUnreadParts = true
      guard case .corrupted(let page, let reason) = error else { throw error }
      return problem("page \(page) of \(name): \(reason)")
    }
    report.pageCount += 1
    if report.pageCount % 256 == 0, !progress(report.pageCount, UInt64(snapshot.meta.pageCount)) { isStopped = true }
    guard node.level == level else {
      hasUnreadParts = true
      return problem("page \(reference.page) of \(name) is at level \(node.level) and should be at \(level)")
    }
    if node.body.load(UInt32.self, at: PageLayout.tree) != tree {
      problem("page \(reference.page) of \(name) says that it belongs to another tree")
    }
    if TreeWriter.entryCount(node) != reference.count {
      problem("page \(reference.page) of \(name): \(TreeWriter.entryCount(node)) entries below it, \(reference.count) expected")
    }
    let keys = checkKeys(node, reference.page, name, lower, upper)
    if node.isLeaf { return try checkValues(node, reference.page, name) }
    for index in 0..<node.count {
      try check(
        node.child(index), level: level - 1, tree: tree, name: name, from: index == 0 ? lower : keys[index],
        to: index + 1 < keys.count ? keys[index + 1] : upper)
    }
  }

  private mutating func checkKeys(_ node: NodeView, _ page: PageNumber, _ name: String, _ lower: [UInt8]?, _ upper: [UInt8]?)
    -> [[UInt8]]
  {
    let keys = (0..<node.count).map { node.key($0) }
    let first = node.isLeaf ? 0 : 1
    for index in first..<max(node.count, first) {
      let suffix = node.suffixRange(index)
      if node.head(index) != keyHead(node.body.bytes(suffix), from: 0) {
        problem("page \(page) of \(name): the head of key \(index) is another key's")
      }
      if index > first, keys[index - 1].compareBytes(with: keys[index]) >= 0 {
        problem("page \(page) of \(name): keys are out of order")
      }
    }
    if let lower, first < node.count, keys[first].compareBytes(with: lower) < 0 {
      problem("page \(page) of \(name): a key is below its range")
    }
    if let upper, node.count > first, let last = keys.last, last.compareBytes(with: upper) >= 0 {
      problem("page \(page) of \(name): a key is above its range")
    }
    return keys
  }

  private mutating func checkValues(_ node: NodeView, _ page: PageNumber, _ name: String) throws(EngineError) {
    report.entryCount += UInt64(node.count)
    for index in 0..<node.count where node.isLong(index) {
      let reference = node.longReference(index)
      let count = pages.geometry.runPageCount(reference.byteCount)
      guard mark(reference.page, count, name) else { continue }
      report.pageCount += UInt64(count)
      do throws(EngineError) {
        try pages.checkReadable(reference.page, count)
        _ = try pages.longValue(reference)
      } catch {
        guard case .corrupted(let page, let reason) = error else { throw error }
        problem("page \(page) of \(name): \(reason)")
      }
    }
  }

  /// Notes pages as used. - Returns: whether they could be and weren't already.
  private mutating func mark(_ page: PageNumber, _ count: Int, _ name: String) -> Bool {
    guard page >= pages.geometry.firstPage, UInt64(page) + UInt64(count) <= pageLimit else {
      problem("page \(page) of \(name) can't be in this file")
      hasUnreadParts = true
      return false
    }
    for number in Int(page)..<Int(page) + count {
      if seen[number / 64] & 1 << UInt64(number % 64) != 0 {
        problem("page \(number) of \(name) is used twice, or used and free")
        return false
      }
      seen[number / 64] |= 1 << UInt64(number % 64)
    }
    return true
  }

  private mutating func checkFree() throws(EngineError) {
    var cursor = snapshot.freeTree.cursor()
    var missing = UInt64(snapshot.meta.pageCount) - pageLimit
    var isThere = try cursor.first()
    while isThere {
      let free = try FreePage(cursor.key, try cursor.withValue { value throws(EngineError) in value.copied() })
      if free.dropped > snapshot.meta.id || free.birth > free.dropped {
        problem("page \(free.page) is free since a version that wasn't yet")
      }
      if UInt64(free.page) >= pageLimit, free.page < snapshot.meta.pageCount, missing > 0 {
        missing -= 1
        report.freePageCount += 1
      } else if mark(free.page, 1, "the free pages") {
        report.freePageCount += 1
      }
      isThere = try cursor.next()
    }
    if missing > 0 { problem("the file ends before page \(pageLimit), and should have \(snapshot.meta.pageCount)") }
  }

  private mutating func checkLeaks() {
    for number in Int(pages.geometry.firstPage)..<Int(max(pageLimit, UInt64(pages.geometry.firstPage)))
    where seen[number / 64] & 1 << UInt64(number % 64) == 0 {
      problem("page \(number) is neither used nor free")
    }
  }
}
