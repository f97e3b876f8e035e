#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// A sync that fails, after which the kernel takes what was lost for written.
  @Suite struct FailedSyncTests {
    /// - Parameter sharesProcess: whether the store is opened anew in the process whose sync failed, or another process goes on.
    @Test("A failed sync that looks clean afterwards", arguments: [(false, true), (false, false), (true, true), (true, false)])
    func lostSync(isSealed: Bool, sharesProcess: Bool) throws {
      let scene = CrashScene(isSealed: isSealed, seed: 7)
      let processes = [scene.kernel.process(), scene.kernel.process()]
      var engines = try processes.map { process throws(EngineError) in try scene.open(process) }
      try scene.commit(engines[0], .powerLoss)
      var current = 0
      for round in 0..<(isLongRun ? 60 : 16) {
        // Commits that nothing has synced yet, and would be lost with the one that fails.
        for _ in 0..<round % 4 { try scene.commit(engines[current], round % 8 == 3 ? .processCrash : .ordered) }
        scene.kernel.loseSync()
        #expect(throws: EngineError.self) { try scene.commit(engines[current], .powerLoss) }
        let failed = engines[current]
        #expect(throws: EngineError.self) { _ = try failed.begin() }
        // What was committed before is there, also for the handle that takes no more writes.
        try scene.check(failed, from: scene.durableNumber, through: scene.number - 1, "the failed handle")
        engines[current] = try scene.open(processes[current])
        if !sharesProcess { current = 1 - current }
        #expect(engines[current] !== failed)
        try scene.commit(engines[current], .powerLoss)
        try scene.commit(engines[current], .ordered)
      }
      try CrashSweep(scene).run(isComplete: isLongRun, stride: 3)
    }

    /// The same where a large transaction syncs its pages before its meta page.
    @Test(arguments: [false, true]) func lostEarlySync(isSealed: Bool) throws {
      let scene = CrashScene(isSealed: isSealed, seed: 8)
      scene.keyCount = 8000
      var engine = try scene.open()
      try scene.commit(engine, .powerLoss)
      try scene.commit(engine, .ordered, changes: 50)
      for durability in [EngineDurability.ordered, .powerLoss] {
        scene.kernel.loseSync()
        #expect(throws: EngineError.self) { try scene.commit(engine, durability, changes: 4000) }
        engine = try scene.open()
        try scene.commit(engine, .powerLoss, changes: 20)
        #expect(scene.kernel.callCount(.synchronizeData) > 0)
      }
      let sweep = CrashSweep(scene)
      try sweep.run(isComplete: false, stride: isLongRun ? 1 : max(sweep.positions.count / 40, 1))
    }
  }
#endif
