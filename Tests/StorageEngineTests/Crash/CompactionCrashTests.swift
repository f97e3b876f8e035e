#if DEBUG
  import CSystem
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// Compaction, cut at every operation.
  @Suite struct CompactionCrashTests {
    private func scene(_ isSealed: Bool, rounds: Int) throws -> CrashScene {
      let scene = CrashScene(isSealed: isSealed, seed: 17)
      scene.keyCount = 120
      let engine = try scene.open()
      let other = try scene.open(scene.kernel.process())
      for round in 0..<rounds {
        for _ in 0..<5 { try scene.commit(round % 2 == 0 ? engine : other, .powerLoss, changes: 20) }
        try scene.commit(other, .ordered)
        try engine.compact()
        // The copy is synced before it takes the name.
        scene.noteDurable()
        try scene.check(other, from: scene.number, through: scene.number, "another process")
        try scene.commit(other, .ordered)
      }
      return scene
    }

    @Test(arguments: [false, true]) func everyCut(isSealed: Bool) throws {
      let scene = try scene(isSealed, rounds: isLongRun ? 6 : 2)
      let sweep = CrashSweep(scene)
      var turn = 0
      try sweep.run(isComplete: isLongRun) { image, engine, floor, ceiling in
        turn += 1
        if turn % 10 > 0 { return }
        try engine.compact()
        #expect(image.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
        try scene.check(engine, from: floor, through: ceiling, "compacted")
      }
    }

    /// The process that compacts is killed at every store and call; others go on at once, in the same boot.
    @Test(arguments: [false, true]) func everyKill(isSealed: Bool) throws {
      let scene = try scene(isSealed, rounds: 1)
      let base = scene.kernel.crashImage(.everything)
      var isOver = false
      for ordinal in 1..<400 where !isOver {
        if !isLongRun, ordinal % 3 != 0 { continue }
        let kernel = base.crashImage(.everything)
        let survivor = try scene.open(kernel.process())
        let victim = kernel.process()
        let compacting = try scene.open(victim)
        victim.stepsUntilKill = ordinal
        do { try compacting.compact() } catch {}
        isOver = !victim.isKilled
        victim.kill()
        try scene.check(survivor, from: scene.number, through: scene.number, "killed at call \(ordinal)")
        try survivor.write { transaction throws(EngineError) in try transaction.put("x", [1], in: "u") }
        let fresh = try scene.open(kernel.process())
        #expect(try fresh.value("x", in: "u") == [1])
        try scene.check(fresh, from: scene.number, through: scene.number, "opened after a kill at call \(ordinal)")
        try fresh.compact()
        #expect(kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
        #expect(try survivor.value("x", in: "u") == [1])
        let image = kernel.crashImage(.nothing)
        #expect(try scene.open(image).value("x", in: "u") == [1])
      }
      #expect(isOver)
    }

    /// A compaction that fails leaves the file, and the handle, as they were.
    @Test(arguments: [SystemCall.write, .synchronizeData, .synchronize, .rename, .open, .allocate]) func everyFailure(
      call: SystemCall
    ) throws {
      let scene = try scene(false, rounds: 1)
      for ordinal in 1...(isLongRun ? 60 : 12) {
        let kernel = scene.kernel.crashImage(.everything)
        let engine = try scene.open(kernel)
        kernel.fail(call, at: ordinal, with: EIO)
        var didFail = false
        do { try engine.compact() } catch { didFail = true }
        kernel.clearFailures()
        if !didFail { break }
        let again = try scene.open(kernel)
        try scene.check(again, from: scene.number, through: scene.number, "\(call.name) \(ordinal)")
        try again.write { transaction throws(EngineError) in try transaction.put("x", [1], in: "u") }
        #expect(kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [], "\(call.name) \(ordinal)")
        let reopened = try scene.open(kernel.crashImage(.nothing))
        #expect(try reopened.value("x", in: "u") == [1], "\(call.name) \(ordinal)")
        try scene.check(reopened, from: scene.number, through: scene.number, "\(call.name) \(ordinal), after a crash")
      }
    }
  }
#endif
