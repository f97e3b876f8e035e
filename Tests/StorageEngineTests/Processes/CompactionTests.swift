#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// Who waits for a compaction, and for how long.
  @Suite struct CompactionTests {
    private func outcome(_ body: () throws(EngineError) -> Void) -> String {
      do throws(EngineError) { try body() } catch {
        switch error {
        case .busy: return "busy"
        case .compacting: return "compacting"
        default: return "\(error)"
        }
      }
      return "done"
    }

    @Test("Writers go on while the first copy is made, and learn what they wait for during the second", arguments: [false, true])
    func writersGoOn(isSealed: Bool) throws {
      let scene = CrashScene(isSealed: isSealed, seed: 31)
      let engine = try scene.open()
      let other = try scene.open(scene.kernel.process())
      for _ in 0..<4 { try scene.commit(engine, .powerLoss) }
      var outcomes: [String] = []
      try engine.compact { _, _ in
        outcomes.append(
          outcome { () throws(EngineError) in
            let transaction = try other.begin(until: Deadline(after: .milliseconds(10), scene.kernel))
            transaction.abort()
            if outcomes.isEmpty { try scene.commit(other, .powerLoss) }
          })
        return true
      }
      #expect(outcomes == ["done", "compacting"])
      for reader in [engine, other] { try scene.check(reader, from: scene.number, through: scene.number, "compacted") }
      try scene.commit(other, .powerLoss)
      try scene.check(engine, from: scene.number, through: scene.number, "afterwards")
      #expect(scene.kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
      try CrashSweep(scene).run(isComplete: false, stride: isLongRun ? 1 : 3)
    }

    /// Where nobody commits, one copy is made, and its maker has the lock for the swap alone.
    @Test func oneCopy() throws {
      let scene = CrashScene(isSealed: false, seed: 32)
      let engine = try scene.open()
      try scene.commit(engine, .powerLoss)
      var count = 0
      let file = scene.kernel.inodeNumber(CrashScene.path)
      try engine.compact { _, _ in
        count += 1
        #expect(!scene.kernel.isLocked(CrashScene.path))
        return true
      }
      #expect(count == 1 && scene.kernel.inodeNumber(CrashScene.path) != file)
    }

    @Test func stopping() throws {
      let scene = CrashScene(isSealed: false, seed: 33)
      let engine = try scene.open()
      scene.keyCount = 3000
      for _ in 0..<3 { try scene.commit(engine, .powerLoss, changes: 2000) }
      #expect(throws: EngineError.self) { try engine.compact { _, _ in false } }
      #expect(scene.kernel.names("/d").filter { $0.hasPrefix(".tmp-") } == [])
      try scene.commit(engine, .powerLoss)
      try scene.check(engine, from: scene.number, through: scene.number, "stopped")
    }
  }
#endif
