#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// The file is synced and its name isn't: what is committed in it is lost with the name.
  @Suite struct LostNameTests {
    private func scene(_ isSealed: Bool) throws -> (CrashScene, Engine, Engine) {
      let scene = CrashScene(isSealed: isSealed, seed: 23)
      let engine = try scene.open()
      let other = try scene.open(scene.kernel.process())
      for _ in 0..<3 { try scene.commit(engine, .powerLoss) }
      return (scene, engine, other)
    }

    private func isRefused(_ body: () throws(EngineError) -> Void) -> Bool {
      do throws(EngineError) { try body() } catch {
        if case .failedEarlier = error { return true }
      }
      return false
    }

    private func sweep(_ scene: CrashScene) throws {
      try CrashSweep(scene).run(isComplete: isLongRun, stride: 1)
      // What can be counted on, where nothing else survives.
      let image = scene.kernel.crashImage(.nothing)
      try scene.check(try scene.open(image), from: scene.durableNumber, through: scene.number, "in the end")
    }

    @Test("A sync of the directory that did nothing, after a compaction", arguments: [false, true]) func skipped(isSealed: Bool)
      throws
    {
      let (scene, engine, other) = try scene(isSealed)
      for writer in [engine, other, engine] {
        scene.kernel.skipSync(ofDirectories: true)
        try engine.compact()
        try scene.commit(writer, .ordered)
        for _ in 0..<2 { try scene.commit(writer, .powerLoss) }
      }
      try sweep(scene)
    }

    @Test("A sync of the directory that fails and then looks clean, after a compaction", arguments: [false, true])
    func lost(isSealed: Bool) throws {
      let (scene, engine, other) = try scene(isSealed)
      for writer in [engine, other, engine] {
        scene.kernel.loseSync(ofDirectories: true)
        #expect(throws: EngineError.self) { try engine.compact() }
        #expect(scene.kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
        // The old file has its name again, and everybody goes on in it.
        try scene.check(other, from: scene.number, through: scene.number, "another process")
        for level in [EngineDurability.ordered, .powerLoss, .powerLoss] { try scene.commit(writer, level) }
      }
      try engine.compact()
      try scene.commit(other, .powerLoss)
      try sweep(scene)
    }

    /// The way back isn't on the disk either. Nothing counts as durable until another compaction has made a name.
    @Test(arguments: [false, true]) func lostTwice(isSealed: Bool) throws {
      let (scene, engine, other) = try scene(isSealed)
      for ordinal in 1...2 { scene.kernel.loseSync(at: ordinal, ofDirectories: true) }
      #expect(throws: EngineError.self) { try engine.compact() }
      try scene.commit(other, .ordered)
      #expect(isRefused { () throws(EngineError) in try scene.commit(other, .powerLoss) })
      let again = try scene.open(scene.kernel.process())
      #expect(isRefused { () throws(EngineError) in try scene.commit(again, .powerLoss) })
      try engine.compact()
      try scene.commit(engine, .powerLoss)
      try scene.commit(try scene.open(scene.kernel.process()), .powerLoss)
      try sweep(scene)
    }

    /// Who compacts is killed behind the rename, and the sync that another process makes up for is lost.
    @Test(arguments: [false, true]) func lostByTheNextOne(isSealed: Bool) throws {
      var (scene, engine, other) = try scene(isSealed)
      let before = scene.kernel.inodeNumber(CrashScene.path)
      for ordinal in 1..<500 where scene.kernel.inodeNumber(CrashScene.path) == before {
        let victim = scene.kernel.process()
        let compacting = try scene.open(victim)
        victim.stepsUntilKill = ordinal
        do { try compacting.compact() } catch {}
        victim.kill()
      }
      #expect(scene.kernel.inodeNumber(CrashScene.path) != before)
      scene.kernel.loseSync(ofDirectories: true)
      #expect(throws: EngineError.self) { try scene.commit(other, .powerLoss) }
      other = try scene.open(scene.kernel.process())
      #expect(isRefused { () throws(EngineError) in try scene.commit(other, .powerLoss) })
      try scene.commit(engine, .ordered)
      try engine.compact()
      engine = try scene.open(scene.kernel.process())
      try scene.commit(engine, .powerLoss)
      try sweep(scene)
    }

    /// The maker of a store is killed before its name is durable; another process commits.
    @Test func killedMaker() throws {
      var isOver = false
      for ordinal in 1..<200 where !isOver {
        let scene = CrashScene(isSealed: false, seed: 5)
        let maker = scene.kernel.process()
        maker.stepsUntilKill = ordinal
        do { _ = try scene.open(maker) } catch {}
        isOver = !maker.isKilled
        maker.kill()
        let other = try scene.open(scene.kernel.process())
        try scene.commit(other, .powerLoss)
        let image = scene.kernel.crashImage(.nothing)
        let place = "killed at call \(ordinal)"
        #expect(image.exists(CrashScene.path), "\(place)")
        image.putDirectory("/d")
        try scene.check(try scene.open(image), from: 1, through: 1, place)
      }
      #expect(isOver)
    }

    @Test func lostNameOfANewStore() throws {
      let scene = CrashScene(isSealed: false, seed: 6)
      scene.kernel.loseSync(ofDirectories: true)
      #expect(throws: EngineError.self) { _ = try scene.open() }
      #expect(scene.kernel.names("/d") == [])
      let engine = try scene.open()
      try scene.commit(engine, .powerLoss)
      try scene.check(try scene.open(scene.kernel.crashImage(.nothing)), from: 1, through: 1, "made once more")
    }
  }
#endif
