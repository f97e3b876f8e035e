#if DEBUG
  import RawMemory
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Branches that lead where they can't.
  @Suite struct CycleTests {
    @Test(
      "B008: a branch that points to its own ancestor is an error, and verifying ends", .timeLimit(.minutes(1)),
      arguments: [false, true])
    func cycle(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      let branches = bench.pages.filter { $0.value.kind.hasPrefix("tree, level") && !$0.value.kind.hasSuffix("level 0") }
      #expect(branches.count >= 2)
      for (page, _) in branches {
        for (ancestor, place) in branches {
          for index in 0..<2 {
            var isItsChild = false
            let file = bench.altering(page, in: bench.file) { buffer, body in
              let node = NodeView(buffer.view(body..<buffer.count))
              var child = node.child(index)
              isItsChild = child.page == ancestor
              (child.page, child.birth) = (ancestor, place.birth)
              child.store(in: buffer, at: body + node.entryOffset(index))
            }
            if isItsChild { continue }
            let kernel = CrashKernel()
            kernel.put(DamageBench.path, file)
            let engine = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
            if engine.didDropLastCommit { continue }
            #expect(throws: EngineError.self) { _ = try engine.snapshot().tree("t")?.contents() }
            let report = try engine.snapshot().verify()
            #expect(report.problems.contains { $0.contains("page \(ancestor) ") }, "\(report.problems)")
            // Nor does a writer follow it.
            let transaction = try engine.begin()
            #expect(throws: EngineError.self) { try transaction.deleteTree("t") }
            transaction.abort()
          }
        }
      }
    }
  }
#endif
