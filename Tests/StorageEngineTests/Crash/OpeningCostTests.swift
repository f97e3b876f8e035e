#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// Opening after a crash makes as many system calls for a large file as for a small one.
  @Suite struct OpeningCostTests {
    private func callCounts(entries: Int, isSealed: Bool, last: Int) throws -> [Int] {
      let scene = CrashScene(pageByteCount: 1024, isSealed: isSealed, seed: 2)
      let engine = try scene.open()
      var next = 0
      while next < entries {
        let end = min(next + 2000, entries)
        try engine.write(.powerLoss) { transaction throws(EngineError) in
          for index in next..<end { try transaction.put("\(1_000_000 + index)", patterned(60, index)) }
        }
        next = end
      }
      try engine.write(last > 200 ? .ordered : .powerLoss) { transaction throws(EngineError) in
        for index in 0..<last { try transaction.put("\(1_000_000 + index)", patterned(60, index + 1)) }
      }
      return try [CrashChoice.nothing, .everything, .random(seed: 5)].map { choice in
        let image = scene.kernel.crashImage(choice)
        image.resetCounts()
        let opened = try scene.open(image)
        #expect(try opened.value("1000000") != nil)
        return image.totalCallCount
      }
    }

    @Test(arguments: [false, true]) func independentOfTheSize(isSealed: Bool) throws {
      let small = try callCounts(entries: 400, isSealed: isSealed, last: 10)
      let large = try callCounts(entries: isLongRun ? 60_000 : 12_000, isSealed: isSealed, last: 10)
      for (few, many) in zip(small, large) { #expect(many <= few + 12, "\(small) and \(large)") }
      // A commit too large for a list was synced: nothing is left to be checked.
      let after = try callCounts(entries: isLongRun ? 60_000 : 20_000, isSealed: isSealed, last: isLongRun ? 50_000 : 18_000)
      for count in after { #expect(count < 1200, "\(after)") }
    }
  }
#endif
