#if DEBUG
  import RawMemory
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Branches that share their children: a few pages that look like a tree without end.
  @Suite struct SharedPageTests {
    private static let levelCount = 20

    /// A file with a branch on each of twenty levels, all of whose children are the one below. - Returns: the topmost.
    private func tower(_ bench: DamageBench) throws -> (file: [UInt8], root: TreeRoot) {
      let branches = bench.pages.filter { $0.value.kind == "tree, level 1" }.keys.sorted()
      let leaf = try #require(bench.pages.first { $0.value.kind == "tree, level 0" })
      try #require(branches.count > Self.levelCount)
      // A version that was synced: no list of pages says what they should be.
      var file = bench.alteringMetas(in: bench.file) { $0.unsynced = [:] }
      var below = ChildReference(page: leaf.key, birth: leaf.value.birth, count: 1)
      for (level, page) in branches.prefix(Self.levelCount).enumerated() {
        file = bench.altering(page, in: file) { buffer, body in
          let node = NodeView(buffer.view(body..<buffer.count))
          for index in 0..<node.count { below.store(in: buffer, at: body + node.entryOffset(index)) }
          buffer.store(UInt8(level + 1), at: body + PageLayout.level)
        }
        below = ChildReference(page: page, birth: bench.pages[page]!.birth, count: 1)
      }
      return (file, TreeRoot(page: below.page, birth: below.birth, level: UInt8(Self.levelCount), count: 1 << 40))
    }

    private func open(_ file: [UInt8], _ bench: DamageBench) throws -> Engine {
      let kernel = CrashKernel()
      kernel.put(DamageBench.path, file)
      return try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
    }

    private func isCorrupted(_ body: () throws(EngineError) -> Void) -> Bool {
      do throws(EngineError) { try body() } catch {
        if case .corrupted = error { return true }
        Issue.record("\(error)")
      }
      return false
    }

    @Test("Walks end after as many pages as there are", .timeLimit(.minutes(1))) func walks() throws {
      let bench = try DamageBench(isSealed: false, entryCount: 6000)
      var (file, root) = try tower(bench)
      let catalogue = try #require(bench.pages.first { $0.value.kind == "catalogue, level 0" }).key
      file = bench.altering(catalogue, in: file) { buffer, body in
        let node = NodeView(buffer.view(body..<buffer.count))
        let record = Catalog.Record(id: 16, root: root)
        buffer.copy(Catalog.bytes(record).span, at: body + node.inlineRange(0).lowerBound)
      }
      let engine = try open(file, bench)
      let snapshot = try engine.snapshot()
      let tree = try #require(try snapshot.tree("t"))
      var steps = 0
      #expect(
        isCorrupted { () throws(EngineError) in
          var cursor = tree.cursor()
          var isThere = try cursor.first()
          while isThere {
            steps += 1
            isThere = try cursor.next()
          }
        })
      #expect(
        isCorrupted { () throws(EngineError) in
          var cursor = tree.cursor()
          var isThere = try cursor.last()
          while isThere {
            steps += 1
            isThere = try cursor.previous()
          }
        })
      // No leaf of 512 bytes has more.
      #expect(steps <= 2 * snapshot.pageCount * 40, "\(steps)")
      let report = try snapshot.verify()
      #expect(!report.isClean && report.pageCount <= UInt64(snapshot.pageCount))
      #expect(isCorrupted { () throws(EngineError) in _ = try snapshot.census() })
      #expect(isCorrupted { () throws(EngineError) in try engine.compact() })
      let transaction = try engine.begin()
      #expect(isCorrupted { () throws(EngineError) in try transaction.deleteTree("t") })
    }

    /// The same in the engine's own trees.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func ownTrees(isCatalogue: Bool) throws {
      let bench = try DamageBench(isSealed: false, entryCount: 6000)
      let (file, root) = try tower(bench)
      let engine = try open(
        bench.alteringMetas(in: file) { if isCatalogue { $0.catalog = root } else { $0.free = root } }, bench)
      #expect(try !engine.snapshot().verify().isClean)
      if isCatalogue { #expect(isCorrupted { () throws(EngineError) in _ = try engine.snapshot().treeNames() }) }
      let transaction = try engine.begin()
      #expect(
        isCorrupted { () throws(EngineError) in
          for index in 0..<3000 { try transaction.put("key \(index)", patterned(90, index)) }
          if isCatalogue { _ = try transaction.treeNames() }
          _ = try transaction.commit()
        })
    }

    /// To and fro at the edge of a leaf is no walk.
    @Test func toAndFro() throws {
      var options = EngineOptions()
      options.pageByteCount = 512
      let bench = try EngineBench(options)
      try bench.engine.write { transaction throws(EngineError) in
        for index in 0..<40 { try transaction.put("key \(100 + index)", patterned(40, index)) }
      }
      let snapshot = try bench.engine.snapshot()
      var cursor = try #require(try snapshot.tree("t")).cursor()
      try cursor.first()
      var isThere = true
      for _ in 0..<snapshot.pageCount * 4 {
        for _ in 0..<12 where isThere { isThere = try cursor.next() }
        for _ in 0..<12 where isThere { isThere = try cursor.previous() }
      }
      #expect(isThere && cursor.key == Array("key 100".utf8))
    }
  }
#endif
