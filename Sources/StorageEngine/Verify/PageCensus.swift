import RawMemory

/// What the pages of one version are used for.
package struct PageCensus: Sendable {
  /// One tree, the engine's own two included.
  package struct Tree: Sendable {
    package let name: String
    package let entryCount: UInt64
    /// 0 while it is empty.
    package let levelCount: Int
    package fileprivate(set) var branchPageCount: UInt64 = 0
    package fileprivate(set) var leafPageCount: UInt64 = 0
    package fileprivate(set) var longValueCount: UInt64 = 0
    package fileprivate(set) var longPageCount: UInt64 = 0
    /// Bytes that entries take in branches and leaves; the rest of these pages is free for more.
    package fileprivate(set) var usedByteCount: UInt64 = 0
    package var pageCount: UInt64 { branchPageCount + leafPageCount + longPageCount }
  }
  package let pageByteCount: Int
  /// All pages of the file as the version knows it.
  package let pageCount: UInt64
  /// At the file's beginning.
  package let metaPageCount: UInt64
  package let freePageCount: UInt64
  package fileprivate(set) var trees: [Tree] = []
}

extension Snapshot {
  /// Counts the pages of each tree.
  ///
  /// - Throws: `corrupted` at the first page that can't be read; `verify` finds them all.
  /// - Complexity: O(pages of trees); long values aren't read.
  package func census() throws(EngineError) -> PageCensus {
    var census = PageCensus(
      pageByteCount: engine.pageByteCount, pageCount: UInt64(meta.pageCount), metaPageCount: UInt64(pages.geometry.firstPage),
      freePageCount: freePageCount)
    var counter = PageCounter(self)
    census.trees.append(try counter.count(catalog, name: "catalogue"))
    census.trees.append(try counter.count(freeTree, name: "free pages"))
    for name in try treeNames() {
      guard let tree = try tree(name) else { continue }
      census.trees.append(try counter.count(tree, name: name))
    }
    return census
  }
}

private struct PageCounter {
  private let snapshot: Snapshot
  private var visitedCount = 0

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  mutating func count(_ tree: Tree, name: String) throws(EngineError) -> PageCensus.Tree {
    let isEmpty = tree.root.page == 0
    var counted = PageCensus.Tree(name: name, entryCount: tree.count, levelCount: isEmpty ? 0 : Int(tree.root.level) + 1)
    if !isEmpty { try add(try tree.rootNode(), of: tree, to: &counted) }
    return counted
  }

  private mutating func add(_ node: NodeView, of tree: Tree, to counted: inout PageCensus.Tree) throws(EngineError) {
    visitedCount += 1
    // Pages that are used twice could make a small file look endless.
    if visitedCount > snapshot.pageCount {
      throw .corrupted(page: tree.root.page, reason: "pages below it are used more than once")
    }
    counted.usedByteCount += UInt64(node.usedByteCount)
    if node.isLeaf {
      counted.leafPageCount += 1
      for index in 0..<node.count where node.isLong(index) {
        counted.longValueCount += 1
        counted.longPageCount += UInt64(snapshot.pages.geometry.runPageCount(node.longReference(index).byteCount))
      }
      return
    }
    counted.branchPageCount += 1
    for index in 0..<node.count { try add(try tree.child(node, index), of: tree, to: &counted) }
  }
}
