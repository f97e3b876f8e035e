#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// The last write cut in the middle, everything before it on the disk.
  @Suite struct TornWriteTests {
    @Test(
      "B001: cut after every operation, and in it at 1, 512 and 4,095 bytes", arguments: [(true, 4096), (false, 4096), (true, 512)])
    func everyOperation(isSealed: Bool, pageByteCount: Int) throws {
      let scene = CrashScene(pageByteCount: pageByteCount, isSealed: isSealed, seed: 20)
      let engine = try scene.open()
      for _ in 0..<20 { try scene.commit(engine, .powerLoss, changes: 1) }
      let sweep = CrashSweep(scene)
      for position in sweep.positions.dropLast() {
        for byteCount in [1, 512, 4095] {
          guard let image = sweep.history.image(tearing: position, at: byteCount) else { continue }
          try sweep.examine(image, position, verifies: isLongRun || position % 3 == 0, "in event \(position) at \(byteCount)") {
            _, _, _, _ in
          }
        }
      }
    }

    /// The newest meta page is half old and half new. Opening chooses the version before, and leaves the torn page as it is, however often
    /// it is killed.
    @Test("B003: a torn meta page never becomes valid", arguments: [false, true]) func tornMetaPage(isSealed: Bool) throws {
      let scene = CrashScene(isSealed: isSealed, seed: 30)
      let engine = try scene.open()
      for _ in 0..<6 { try scene.commit(engine, .powerLoss) }
      let sweep = CrashSweep(scene)
      let stride = 16_384
      let position = try #require(
        sweep.positions.last { position in
          guard position < sweep.history.count, case .operation(.write(_, let offset, _)) = sweep.history.events[position] else {
            return false
          }
          return offset % stride == 0 && offset < 3 * stride
        })
      for cut in [1, 100, 140, 200, 250] {
        let image = try #require(sweep.history.image(tearing: position, at: cut))
        let before = try #require(image.contents(CrashScene.path))
        for _ in 0..<5 {
          // Killed at some point of the opening: each try that is left is the next machine's.
          let opened = try scene.open(image.process())
          try scene.check(opened, from: 5, through: 5, "cut at \(cut)")
          #expect(image.contents(CrashScene.path) == before)
        }
        image.startRecording()
        _ = try scene.open(image.process())
        let history = image.history
        for step in 0...history.count {
          let again = history.image(after: step, .everything)
          try scene.check(try scene.open(again), from: 5, through: 5, "killed after \(step) steps of opening")
          #expect(again.contents(CrashScene.path) == before)
        }
      }
    }
  }
#endif
