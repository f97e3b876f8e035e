#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Full disks and limits on the size of files.
  @Suite struct SpaceLimitTests {
    private func mailbox(_ kind: FileSystemKind) -> CrashMailbox {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      return CrashMailbox(CrashKernel(settings))
    }
    private static let payload = [UInt8](repeating: 5, count: 3000)

    private func ids(_ mailbox: CrashMailbox) throws -> [String] {
      var found: [String] = []
      let reader = try mailbox.reader(mailbox.kernel)
      try reader.forEachPending { entry in if entry.payload == Self.payload { found.append(entry.id) } }
      #expect(try reader.damage().isEmpty)
      return found
    }
    /// Appends until there is no room. - Returns: what was appended.
    private func fill(_ writer: MailboxWriter, _ label: String) throws -> [String] {
      var appended: [String] = []
      while appended.count < 1000 {
        do { try writer.append(id: "\(label) \(appended.count)", payload: Self.payload) } catch LogError.noSpace { return appended }
        appended.append("\(label) \(appended.count)")
      }
      return appended
    }

    static let durabilities: [LogDurability] = [.powerLoss, .processCrash]

    @Test("A full disk is noSpace, loses nothing, and ends when there is room", arguments: FailpointTests.kinds, durabilities)
    func fullDisk(_ kind: FileSystemKind, _ durability: LogDurability) throws {
      // Every byte count at which the room may end: in the first blocks, in a record, in the words.
      for budget in stride(from: 0, to: 200_000, by: 7919) {
        let mailbox = mailbox(kind)
        mailbox.kernel.byteBudget = budget
        let writer = try mailbox.writer(mailbox.kernel.process(), durability)
        let appended = try fill(writer, "a")
        #expect(mailbox.litter.isEmpty && mailbox.lockedNames.isEmpty)
        #expect(throws: LogError.noSpace) {
          try writer.appendBatch { batch in for id in 0..<30 { batch.append(id: "\(id)", payload: Self.payload) } }
        }
        #expect(try ids(mailbox) == appended, "\(budget)")
        mailbox.kernel.byteBudget = nil
        try writer.append(id: "later", payload: Self.payload)
        #expect(try ids(mailbox) == appended + ["later"], "\(budget)")
        mailbox.kernel.byteBudget = 0
        // Draining a full disk makes room. Where an overwrite allocates, it takes a block that isn't there.
        if kind == .overwritesInPlace {
          let reader = try mailbox.reader(mailbox.kernel)
          var positions: [MailboxPosition] = []
          try reader.forEachPending { positions.append($0.position) }
          try reader.acknowledge(positions)
          #expect(mailbox.segments.isEmpty)
        }
      }
    }

    @Test("A limit on file sizes is noSpace, and a drained mailbox takes mail again", arguments: FailpointTests.kinds, durabilities)
    func sizeLimit(_ kind: FileSystemKind, _ durability: LogDurability) throws {
      let mailbox = mailbox(kind)
      mailbox.kernel.fileByteCountMax = 64 << 10
      let writer = try mailbox.writer(mailbox.kernel.process(), durability)
      for round in 0..<3 {
        let appended = try fill(writer, "\(round)")
        #expect(appended.count >= 10)
        #expect(try ids(mailbox) == appended)
        let reader = try mailbox.reader(mailbox.kernel)
        var positions: [MailboxPosition] = []
        try reader.forEachPending { positions.append($0.position) }
        try reader.acknowledge(positions)
        #expect(mailbox.names.isEmpty)
      }
      mailbox.kernel.fileByteCountMax = 1000
      #expect(throws: LogError.noSpace) { try writer.append(id: "a", payload: [1]) }
      #expect(mailbox.names.isEmpty)
    }
  }
#endif
