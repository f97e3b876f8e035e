#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Through mappings and through `pwrite`, on one segment, with every page size.
  @Suite struct WriteWayTests {
    @Test("Mapped and unmapped handles share a segment", arguments: FailpointTests.kinds, [4, 16, 64])
    func mixed(_ kind: FileSystemKind, _ pageKiB: Int) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      settings.pageByteCount = pageKiB << 10
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      let store = StandInStore()
      var promoter = StandInPromoter(store)
      promoter.leavesGaps = true
      promoter.limit = 11
      let reader = try mailbox.reader(kernel.process())
      let unsynced = [try mailbox.writer(kernel.process(), .processCrash), try mailbox.writer(kernel.process(), .processCrash)]
      let durable = try mailbox.writer(kernel.process())
      var expected: [String] = []
      for number in 0..<120 {
        let ids = number % 6 == 0 ? ["\(number) a", "\(number) b", "\(number) c"] : ["\(number)"]
        try [unsynced[0], durable, unsynced[1]][number % 3].append(ids)
        expected += ids
        if number % 25 == 24 { try promoter.step(reader) }
        if number == 60 { #expect(mailbox.segments.count == 1) }
      }
      try promoter.drain(reader)
      #expect(store.state.insertions == Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) }))
      #expect(store.state.unreadable.isEmpty && store.state.skippedCount == 0)
      #expect(mailbox.names.isEmpty)
    }

    @Test("Where an overwrite may allocate, nothing is mapped", arguments: [LogDurability.powerLoss, .processCrash])
    func unmapped(_ durability: LogDurability) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = .mayAllocateAgain
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel, durability)
      for number in 0..<20 { try writer.append("\(number)") }
      try StandInPromoter(StandInStore()).drain(try mailbox.reader(kernel))
      #expect(kernel.callCount(.map) == 0)
    }

    @Test("A durable writer, and the first append of an unsynced one, map nothing")
    func firstAppend() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let durable = try mailbox.writer(kernel)
      for number in 0..<5 { try durable.append("\(number)") }
      let unsynced = try mailbox.writer(kernel, .processCrash)
      try unsynced.append("first")
      #expect(kernel.callCount(.map) == 0)
      try unsynced.append("second")
      #expect(kernel.callCount(.map) > 0)
    }

    @Test("A drain doesn't wait for the lock of a segment in which nothing waits", arguments: FailpointTests.kinds)
    func consumedAndLocked(_ kind: FileSystemKind) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      let dying = kernel.process()
      dying.onReach = { [unowned dying] in if $0 == .acknowledged { dying.kill() } }
      try mailbox.writer(kernel).append("consumed")
      let store = StandInStore()
      try? StandInPromoter(store).drain(try mailbox.reader(dying))
      let file = try StorageFile(kernel, path: mailbox.path("00000001.segment"), flags: OpenFlag.readWrite, isLockable: true)
      #expect(try file.tryLock())
      try mailbox.writer(kernel).append("waits")
      let process = SteppedProcess(kernel)
      try StandInPromoter(store).drain(try mailbox.reader(process))
      #expect(store.state.insertions == ["consumed": 1, "waits": 1])
      #expect(process.sleepCount == 0)
      #expect(mailbox.segments == ["00000001.segment"])
    }

    @Test("A file that a loss of power cut off is drained and left alone by appends", arguments: [4, 16, 64])
    func shortFile(_ pageKiB: Int) throws {
      var settings = KernelSettings()
      settings.pageByteCount = pageKiB << 10
      for size in [0, 4096, 8192, 8256, 12288, 20480] {
        let kernel = CrashKernel(settings)
        let mailbox = CrashMailbox(kernel)
        try mailbox.writer(kernel, .processCrash).append("a")
        let path = mailbox.path("00000001.segment")
        let whole = try #require(kernel.contents(path))
        let image = CrashMailbox(kernel.crashImage(.everything))
        image.kernel.alter(path) { $0 = Array(whole[..<size]) }
        try image.writer(image.kernel, .processCrash).append("b")
        try image.writer(image.kernel).append("c")
        let store = StandInStore()
        try StandInPromoter(store).drain(try image.reader(image.kernel))
        #expect(store.state.insertions == (size > 8256 ? ["a": 1, "b": 1, "c": 1] : ["b": 1, "c": 1]), "\(size)")
        // What can't be read at all is left for a person; everything else goes.
        #expect(image.segments.count == (size == 4096 ? 1 : 0), "\(size)")
      }
    }
  }
#endif
