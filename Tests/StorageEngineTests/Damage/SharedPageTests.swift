#if DEBUG
  import RawMemory
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Branches that share their children: a few pages that look like a tree without end.
  @Suite struct SharedPageTests {
    /// The file of a bench, where each branch of one tree has the same child everywhere. - Returns: how many branches there are.
    private func share(_ bench: DamageBench, _ name: String) -> (file: [UInt8], branchCount: Int) {
      // A version that was synced: no list of pages says what they should be.
      var file = bench.alteringMetas(in: bench.file) { $0.unsynced = [:] }
      var count = 0
      for (page, place) in bench.pages where place.kind.hasPrefix("\(name), level") && !place.kind.hasSuffix("level 0") {
        count += 1
        file = bench.altering(page, in: file) { buffer, body in
          let node = NodeView(buffer.view(body..<buffer.count))
          let first = node.child(0)
          for index in 1..<node.count {
            var child = node.child(index)
            (child.page, child.birth) = (first.page, first.birth)
            child.store(in: buffer, at: body + node.entryOffset(index))
          }
        }
      }
      return (file, count)
    }

    @Test("Walks end after as many pages as there are", .timeLimit(.minutes(1))) func walks() throws {
      let bench = try DamageBench(isSealed: false, entryCount: 6000)
      #expect(bench.pages.values.contains { $0.kind == "tree, level 3" })
      let (file, _) = share(bench, "tree")
      let kernel = CrashKernel()
      kernel.put(DamageBench.path, file)
      let engine = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
      let snapshot = try engine.snapshot()
      let tree = try #require(try snapshot.tree("t"))
      for isForward in [true, false] {
        var cursor = tree.cursor()
        var steps = 0
        do throws(EngineError) {
          var isThere = isForward ? try cursor.first() : try cursor.last()
          while isThere {
            steps += 1
            isThere = isForward ? try cursor.next() : try cursor.previous()
          }
          Issue.record("it ended")
        } catch {
          if case .corrupted = error {} else { Issue.record("\(error)") }
        }
        // No leaf of 512 bytes has more.
        #expect(steps <= snapshot.pageCount * 40, "\(steps)")
      }
      let report = try snapshot.verify()
      #expect(!report.isClean && report.pageCount < UInt64(snapshot.pageCount))
      #expect(throws: EngineError.self) { _ = try snapshot.census() }
      #expect(throws: EngineError.self) { try engine.compact() }
      let transaction = try engine.begin()
      #expect(throws: EngineError.self) { try transaction.deleteTree("t") }
    }

    /// To and fro at the edge of a leaf is no walk.
    @Test func toAndFro() throws {
      let bench = try EngineBench(CrashScene.options(isSealed: false))
      try bench.engine.write { transaction throws(EngineError) in
        for index in 0..<40 { try transaction.put("key \(100 + index)", patterned(40, index)) }
      }
      let snapshot = try bench.engine.snapshot()
      let tree = try #require(try snapshot.tree("t"))
      var cursor = tree.cursor()
      try cursor.first()
      for _ in 0..<snapshot.pageCount * 4 {
        for _ in 0..<12 { #expect(try cursor.next()) }
        for _ in 0..<12 { #expect(try cursor.previous()) }
      }
    }

    /// The same in the engine's own trees.
    @Test(.timeLimit(.minutes(1)), arguments: ["catalogue", "free tree"]) func ownTrees(name: String) throws {
      let bench = try DamageBench(isSealed: false, entryCount: 6000, treeCount: 300)
      let (file, count) = share(bench, name)
      #expect(count > 0)
      let kernel = CrashKernel()
      kernel.put(DamageBench.path, file)
      do throws(EngineError) {
        let engine = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
        #expect(try !engine.snapshot().verify().isClean)
        _ = try engine.snapshot().treeNames()
        let transaction = try engine.begin()
        for index in 0..<3000 { try transaction.put("key \(index)", patterned(90, index)) }
      } catch {
        if !DamageBench.isOfTheFile(error) { Issue.record("\(error)") }
      }
    }
  }
#endif
