#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// B005: what each durability pays for and gets.
  @Suite struct SyncPromiseTests {
    private func promoted(_ image: CrashKernel) throws -> [String: Int] {
      let store = StandInStore()
      try StandInPromoter(store).drain(try CrashMailbox(image).reader(image))
      return store.state.insertions
    }

    @Test("B005: a durable append returns after a sync that covers its record and its name", arguments: FailpointTests.kinds)
    func durable(_ kind: FileSystemKind) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      let process = kernel.process()
      let writer = try mailbox.writer(process)
      var expected: [String] = []
      for number in 0..<4 {
        kernel.resetCounts()
        var syncCount: [Int] = []
        process.onReach = { if $0 == .recordPublished { syncCount.append(kernel.callCount(.synchronizeData)) } }
        try writer.append("\(number)")
        expected.append("\(number)")
        // The sync that counts comes after the publication, and the first of a segment also makes the names durable.
        #expect(kernel.callCount(.synchronizeData) == (syncCount.last ?? 0) + 1)
        #expect(kernel.callCount(.synchronize) == (number == 0 ? 2 : 0))
        #expect(Set(try promoted(kernel.crashImage(.nothing)).keys) == Set(expected))
      }
      try writer.append(["a", "b", "c"])
      kernel.resetCounts()
      try writer.append(["d", "e", "f"])
      #expect(kernel.callCount(.synchronizeData) == 1)
      #expect(try promoted(kernel.crashImage(.nothing)).count == expected.count + 6)
    }

    @Test("B005: an unsynced append makes no sync, also when it makes a segment", arguments: FailpointTests.kinds)
    func unsynced(_ kind: FileSystemKind) throws {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      let kernel = CrashKernel(settings)
      let mailbox = CrashMailbox(kernel)
      kernel.resetCounts()
      let writer = try mailbox.writer(kernel.process(), .processCrash)
      for number in 0..<4 { try writer.append("\(number)") }
      try writer.append(["a", "b"])
      #expect(mailbox.segments.count == 1)
      #expect(kernel.callCount(.synchronizeData) == 0 && kernel.callCount(.synchronize) == 0)
      #expect(try promoted(kernel.crashImage(.nothing)).isEmpty)
      #expect(try promoted(kernel.crashImage(.everything)).count == 6)
    }

    @Test("Synchronize covers every segment that the handle appended to")
    func allSegments() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process(), .processCrash)
      for number in 0..<6 {
        try writer.append("\(number)")
        // Somebody has the segment: the next append takes another one, and later ones come back.
        guard number % 2 == 0, let name = mailbox.segments.first else { continue }
        let file = try StorageFile(kernel, path: mailbox.path(name), flags: OpenFlag.readWrite, isLockable: true)
        #expect(try file.tryLock())
        try writer.append("\(number) elsewhere")
      }
      #expect(mailbox.segments.count > 1)
      try writer.synchronize()
      #expect(try promoted(kernel.crashImage(.nothing)).count == 9)
      kernel.resetCounts()
      try writer.synchronize()
      #expect(kernel.callCount(.synchronizeData) == 0)
    }

    @Test("A durable append behind unsynced ones makes them durable too, with the names")
    func together() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let unsynced = try mailbox.writer(kernel.process(), .processCrash)
      let durable = try mailbox.writer(kernel.process())
      for number in 0..<3 { try unsynced.append("\(number)") }
      #expect(try promoted(kernel.crashImage(.nothing)).isEmpty)
      try durable.append("durable")
      #expect(try promoted(kernel.crashImage(.nothing)).count == 4)
    }
  }
#endif
