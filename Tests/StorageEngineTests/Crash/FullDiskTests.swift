#if DEBUG
  import CSystem
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// No room, at every place where a commit or a creation could notice.
  @Suite struct FullDiskTests {
    /// Each fault on a machine of its own that begins with the same store.
    private func prepared(_ isSealed: Bool) throws -> CrashScene {
      let scene = CrashScene(isSealed: isSealed, seed: 13)
      scene.keyCount = 200
      let engine = try scene.open()
      for _ in 0..<8 { try scene.commit(engine, .powerLoss, changes: 40) }
      return scene
    }

    private func attempt(_ scene: CrashScene, _ kernel: CrashKernel, _ label: String, fault: () -> Void) throws -> Bool {
      let engine = try scene.open(kernel)
      fault()
      let failed: Bool
      do {
        try engine.write(.powerLoss) { transaction throws(EngineError) in
          for index in 0..<120 { try transaction.put("new \(index)", patterned(index % 2 == 0 ? 1500 : 70, index)) }
          try transaction.put("n", Array("9".utf8))
        }
        failed = false
      } catch {
        failed = true
        if case .noSpace = error {} else { Issue.record("\(error), \(label)") }
      }
      kernel.clearFailures()
      kernel.byteBudget = nil
      if failed {
        try scene.check(engine, from: scene.number, through: scene.number, "\(label): at once")
        for image in [kernel.crashImage(.everything), kernel.crashImage(.random(seed: 3))] {
          let again = try scene.open(image)
          let number = try again.value("n").map { String(decoding: $0, as: UTF8.self) }
          // A commit whose sync failed may have become whole.
          if number != "9" { try scene.check(again, from: scene.number, through: scene.number, "\(label): after a crash") }
          #expect(try again.snapshot().verify().isClean)
        }
        // With room the next one works, in the same handle unless a sync failed.
        let next = try scene.open(kernel)
        try next.write { transaction throws(EngineError) in try transaction.put("later", [1]) }
        #expect(try next.value("later") == [1])
        #expect(try next.snapshot().verify().isClean)
      }
      return failed
    }

    @Test("B013: ENOSPC at every write, allocation and sync of one commit", arguments: [false, true]) func everyCall(isSealed: Bool)
      throws
    {
      let scene = try prepared(isSealed)
      var failures = 0
      for call in [SystemCall.write, .allocate, .synchronizeData, .status] {
        for ordinal in 1...40 {
          let kernel = scene.kernel.crashImage(.everything)
          let engine = try scene.open(kernel)
          let failed = try attempt(scene, kernel, "\(call.name) \(ordinal)") { kernel.fail(call, at: ordinal, with: ENOSPC) }
          withExtendedLifetime(engine) {}
          if !failed { break }
          failures += 1
        }
      }
      #expect(failures > 4)
    }

    @Test("B013: a disk of every size", arguments: [false, true]) func everySize(isSealed: Bool) throws {
      let scene = try prepared(isSealed)
      var failures = 0
      let step = isLongRun ? 512 : 4096
      for extra in stride(from: 0, to: 200_000, by: step) {
        let kernel = scene.kernel.crashImage(.everything)
        let engine = try scene.open(kernel)
        let failed = try attempt(scene, kernel, "\(extra) bytes left") { kernel.byteBudget = kernel.usedByteCount + extra }
        withExtendedLifetime(engine) {}
        if !failed { break }
        failures += 1
      }
      #expect(failures > 0)
    }

    @Test("B011: a new store on a full disk is noSpace and blocks nobody", arguments: [false, true]) func creation(isSealed: Bool)
      throws
    {
      var limits = [0, 1, 100, 4096, 16_384, 49_151]
      if isLongRun { limits += Array(stride(from: 512, to: 49_152, by: 512)) }
      for limit in limits {
        for isBudget in [false, true] {
          let scene = CrashScene(pageByteCount: 4096, isSealed: isSealed)
          if isBudget { scene.kernel.byteBudget = limit } else { scene.kernel.fileByteCountMax = limit }
          do {
            _ = try scene.open()
            Issue.record("opened with \(limit)")
          } catch EngineError.noSpace {} catch { Issue.record("\(error) with \(limit)") }
          #expect(scene.kernel.names("/d").filter { !$0.hasSuffix(".lock") } == [], "\(limit)")
          scene.kernel.byteBudget = nil
          scene.kernel.fileByteCountMax = nil
          let engine = try scene.open()
          try scene.commit(engine, .powerLoss)
          try scene.check(engine, from: 1, through: 1, "after \(limit)")
        }
      }
    }
  }
#endif
