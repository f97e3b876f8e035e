#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// 200 commits, and a loss of power at every event of them: what is found is exactly a version that was committed, not older than the last
  /// durable one.
  @Suite struct PowerLossTests {
    private static let levels: [EngineDurability] = [.ordered, .powerLoss, .ordered, .processCrash, .powerLoss]

    private func scene(_ isSealed: Bool, _ pageByteCount: Int, commits: Int, seed: UInt64) throws -> CrashScene {
      let scene = CrashScene(pageByteCount: pageByteCount, isSealed: isSealed, seed: seed)
      var engine = try scene.open()
      for round in 0..<commits {
        try scene.commit(engine, Self.levels.randomElement(using: &scene.random)!)
        if round % 9 == 4 { try scene.abort(engine, changes: 10) }
        if round % 40 == 39 { engine = try scene.open(scene.kernel.process()) }
      }
      return scene
    }

    @Test(arguments: [(false, 512), (true, 1024)]) func everyCut(isSealed: Bool, pageByteCount: Int) throws {
      let scene = try scene(isSealed, pageByteCount, commits: 200, seed: 3)
      let sweep = CrashSweep(scene)
      let count = try sweep.run(isComplete: isLongRun, stride: 3)
      #expect(count > 300)
    }

    /// What was found goes on: a commit on it, whose every event may be the last again.
    @Test(arguments: [false, true]) func aCrashAfterTheFallback(isSealed: Bool) throws {
      let scene = try scene(isSealed, 512, commits: isLongRun ? 200 : 60, seed: 11)
      let sweep = CrashSweep(scene)
      var droppedCount = 0
      try sweep.run(isComplete: false, stride: isLongRun ? 9 : 17) { image, engine, floor, ceiling in
        if engine.didDropLastCommit { droppedCount += 1 }
        let found = try scene.check(engine, from: floor, through: ceiling, verifies: false, "before going on")
        image.startRecording()
        for _ in 0..<3 {
          try engine.write(.powerLoss) { transaction throws(EngineError) in try transaction.put("later", [1, 2, 3], in: "u") }
        }
        let history = image.history
        for position in 0...history.count {
          for choice in [CrashChoice.everything, .nothing, .random(seed: UInt64(position), tearsInsideSectors: true)] {
            let again = history.image(after: position, choice)
            let reopened = try scene.open(again)
            // A version that was given up stays given up once another was durable; until then either may be found.
            let isLater = try reopened.snapshot().tree("u") != nil
            try scene.check(reopened, from: isLater ? found : floor, through: ceiling, "second crash after \(position)")
          }
        }
      }
      #expect(droppedCount > 0)
    }

    /// A transaction that spills its pages and is given up leaves nothing that a later opening could take for a version's.
    @Test(arguments: [false, true]) func spilledAborts(isSealed: Bool) throws {
      let scene = CrashScene(isSealed: isSealed, seed: 5)
      scene.keyCount = 600
      scene.options.dirtyPageByteCountMax = 1
      let engine = try scene.open()
      try scene.commit(engine, .powerLoss, changes: 500)
      for round in 0..<(isLongRun ? 30 : 8) {
        try scene.abort(engine, changes: 300)
        try scene.commit(engine, round % 3 == 0 ? .powerLoss : .ordered, changes: round % 4 == 0 ? 200 : 8)
      }
      let sweep = CrashSweep(scene)
      try sweep.run(isComplete: isLongRun, stride: 8)
    }
  }
#endif
