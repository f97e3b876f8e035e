#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// A sync that fails and loses what it should have written, so that later ones succeed for nothing.
  @Suite struct LostSyncTests {
    @Test("The append throws, its handle is done, and the segment takes nothing any more", arguments: FailpointTests.kinds)
    func lost(_ kind: FileSystemKind) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process())
      try writer.append("before")
      kernel.loseSync()
      #expect(throws: LogError.system(call: "fdatasync", errno: ErrorNumber.inputOutput, path: "")) { try writer.append("lost") }
      #expect(throws: LogError.failedEarlier) { try writer.append("refused") }
      #expect(throws: LogError.failedEarlier) { try writer.synchronize() }
      let first = mailbox.path("00000001.segment")
      let size = kernel.contents(first).map { usedByteCount($0) }

      let next = try mailbox.writer(kernel.process())
      try next.append(["after 1", "after 2"])
      try next.append("after 3")
      #expect(mailbox.segments.count == 2)
      #expect(kernel.contents(first).map { usedByteCount($0) } == size)
      for choice in [CrashChoice.nothing, .everything, .random(seed: 1), .random(seed: 2)] {
        let image = CrashMailbox(kernel.crashImage(choice))
        let store = StandInStore()
        try StandInPromoter(store).drain(try image.reader(image.kernel))
        for id in ["before", "after 1", "after 2", "after 3"] { #expect(store.state.insertions[id] == 1, "\(id), \(choice)") }
        #expect(store.state.insertions["refused"] == nil)
        #expect(image.names.isEmpty)
      }
    }

    @Test("A segment whose first sync fails never gets its name, and the next append makes another")
    func creation() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process())
      kernel.loseSync()
      #expect(throws: LogError.self) { try writer.append("nowhere") }
      #expect(mailbox.names.isEmpty)
      try writer.append("after")
      let image = CrashMailbox(kernel.crashImage(.nothing))
      let store = StandInStore()
      try StandInPromoter(store).drain(try image.reader(image.kernel))
      #expect(store.state.insertions == ["after": 1])
    }

    /// Up to the last byte behind the words that isn't zero.
    private func usedByteCount(_ bytes: [UInt8]) -> Int { (bytes.lastIndex { $0 != 0 } ?? 0) + 1 }

    @Test("Whatever sync of a run lies, what is acknowledged afterwards survives", arguments: 1...12)
    func anySync(_ ordinal: Int) throws {
      let kernel = CrashKernel()
      // Its own name is durable: one that a lying sync of the parent lost could not be made again.
      kernel.putDirectory(CrashMailbox.directory)
      let mailbox = CrashMailbox(kernel)
      kernel.loseSync(at: ordinal)
      var promised: [String] = []
      var failureCount = 0
      var writer = try mailbox.writer(kernel.process())
      for number in 0..<8 {
        do {
          try writer.append("\(number)")
          promised.append("\(number)")
        } catch {
          failureCount += 1
          // What was promised before the lie is on the disk; the disk gave up what came with it.
          writer = try mailbox.writer(kernel.process())
        }
      }
      #expect(failureCount <= 1)
      for seed in UInt64(0)..<8 {
        let image = CrashMailbox(kernel.crashImage(seed == 0 ? .nothing : .random(seed: seed)))
        let store = StandInStore()
        try StandInPromoter(store).drain(try image.reader(image.kernel))
        for id in promised { #expect(store.state.insertions[id] == 1, "\(id)") }
      }
    }

    @Test("A synchronize that failed isn't taken for done by the next one")
    func synchronizeTwice() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process(), .processCrash)
      try writer.append("a")
      // Not a sync fails, but the way to it.
      kernel.fail(.open, with: ErrorNumber.inputOutput)
      #expect(throws: LogError.self) { try writer.synchronize() }
      do { try writer.synchronize() } catch LogError.failedEarlier { return }
      let image = CrashMailbox(kernel.crashImage(.nothing))
      let store = StandInStore()
      try StandInPromoter(store).drain(try image.reader(image.kernel))
      #expect(store.state.insertions["a"] == 1)
    }

    @Test("A synchronize returns once the one that is running has")
    func synchronizeMeanwhile() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let process = SteppedProcess(kernel)
      let writer = try mailbox.writer(process, .processCrash)
      try writer.append("a")
      var isPromised: Bool?
      process.beforeCall = { _, call in
        guard call == .synchronizeData, isPromised == nil else { return }
        isPromised = false
        // Another thread of the handle; it must not return for nothing.
        do { try writer.synchronize() } catch { return }
        let image = CrashMailbox(kernel.crashImage(.nothing))
        let store = StandInStore()
        guard let reader = try? image.reader(image.kernel), (try? StandInPromoter(store).drain(reader)) != nil else { return }
        isPromised = store.state.insertions["a"] == 1
      }
      try writer.synchronize()
      #expect(isPromised == true)
    }

    @Test("A segment whose mark of removal never became durable keeps its ledger row", arguments: [false, true])
    func removalMark(_ isStopped: Bool) throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      try mailbox.writer(kernel).append(["a", "b"])
      let store = StandInStore()
      let promoter = StandInPromoter(store)
      func othersGoOn() throws {
        try promoter.drain(try mailbox.reader(kernel.process()))
        for choice in [CrashChoice.nothing, .everything, .random(seed: 3)] {
          let image = CrashMailbox(kernel.crashImage(choice))
          let again = StandInStore(store.state)
          try StandInPromoter(again).drain(try image.reader(image.kernel))
          #expect(again.state.insertions == ["a": 1, "b": 1], "\(choice)")
        }
      }
      let process = kernel.process()
      var failure: (any Error)?
      process.onReach = { point in
        guard point == .segmentMarkedRemoved else { return }
        // Stopped there with the lock; or the sync of the mark fails.
        if isStopped {
          do { try othersGoOn() } catch { failure = error }
        } else {
          kernel.fail(.synchronizeData, with: ErrorNumber.inputOutput)
        }
      }
      let reader = try mailbox.reader(process)
      try promoter.step(reader)
      #expect(failure == nil)
      if !isStopped {
        kernel.fail(.synchronizeData, with: ErrorNumber.inputOutput, isPermanent: true)
        try othersGoOn()
        kernel.clearFailures()
      }
      try promoter.drain(reader)
      #expect(mailbox.names.isEmpty)
    }
  }
#endif
