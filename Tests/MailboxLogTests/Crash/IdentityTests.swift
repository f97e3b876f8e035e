#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Clocks that are set, boots, copies, and old files put back.
  @Suite struct IdentityTests {
    private static let day: Int64 = 86_400_000_000

    private func promoted(_ mailbox: CrashMailbox, _ store: StandInStore = StandInStore()) throws -> [String: Int] {
      try StandInPromoter(store).drain(try mailbox.reader(mailbox.kernel.process()))
      return store.state.insertions
    }

    @Test(
      "A clock set a day back or forward keeps a segment's order, and loses nothing", arguments: [-1, 1],
      SpaceLimitTests.durabilities)
    func clock(_ direction: Int64, _ durability: LogDurability) throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process(), durability)
      for number in 0..<9 {
        if number % 3 == 2 { kernel.settings.realtimeMicroseconds += direction * Self.day }
        try writer.append("\(number)")
      }
      var seen: [String] = []
      var last = -Double.infinity
      try mailbox.reader(kernel).forEachPending { entry in
        seen.append(entry.id)
        #expect(entry.appendedAt.secondsSinceReferenceDate >= last)
        last = entry.appendedAt.secondsSinceReferenceDate
      }
      #expect(seen == (0..<9).map { "\($0)" })
      // The age of what waits is never negative.
      #expect(try mailbox.writer(kernel).backlog().oldestAge ?? .seconds(-1) >= .zero)
      #expect(try promoted(mailbox).count == 9)
      #expect(mailbox.names.isEmpty)
    }

    @Test("Another boot without a loss: everything is there, and appends go elsewhere")
    func boot() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      for id in ["a", "b"] { try mailbox.writer(kernel, .processCrash).append(id) }
      let next = CrashMailbox(kernel.crashImage(.everything))
      let path = next.path("00000001.segment")
      let before = try #require(next.kernel.contents(path))
      try next.writer(next.kernel).append("c")
      #expect(next.segments == ["00000001.segment", "00000002.segment"])
      let after = try #require(next.kernel.contents(path))
      // It was sealed, and nothing else.
      #expect(zip(before, after).filter { $0 != $1 }.count <= 8)
      #expect(try next.reader(next.kernel).damage().isEmpty)
      #expect(try promoted(next) == ["a": 1, "b": 1, "c": 1])
      #expect(next.names.isEmpty)
    }

    @Test("A copied directory gives every record, and its segments take no more")
    func copy() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel)
      for number in 0..<5 { try writer.append("\(number)") }
      var settings = KernelSettings()
      settings.seed = 2
      let other = CrashMailbox(CrashKernel(settings))
      // Another number of the inode, on the same boot.
      other.kernel.put("/data/something else", [1])
      for name in mailbox.segments { other.kernel.put(other.path(name), try #require(kernel.contents(mailbox.path(name)))) }
      #expect(other.kernel.inodeNumber(other.path("00000001.segment")) != kernel.inodeNumber(mailbox.path("00000001.segment")))
      try other.writer(other.kernel).append("new")
      #expect(other.segments.count == 2)
      // The original goes on in its own; no position is in both.
      try writer.append("5")
      let positions = [mailbox, other].map { mailbox in
        var found: [MailboxPosition: String] = [:]
        _ = try? mailbox.reader(mailbox.kernel).forEachPending { entry in found[entry.position] = entry.id }
        return found
      }
      #expect(positions[0].count == 6 && positions[1].count == 6)
      for (position, id) in positions[0] { #expect(positions[1][position] == nil || positions[1][position] == id) }
      #expect(try promoted(other).count == 6)
      #expect(other.names.isEmpty)
    }

    @Test("An older copy of a segment put back: what it lacks is gone, and the last sequence tells")
    func olderCopy() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      let writer = try mailbox.writer(kernel.process())
      let path = mailbox.path("00000001.segment")
      for number in 1...3 { try writer.append("\(number)") }
      let old = try #require(kernel.contents(path))
      for number in 4...6 { try writer.append("\(number)") }
      let store = StandInStore()
      var promoter = StandInPromoter(store)
      promoter.limit = 5
      try promoter.step(try mailbox.reader(kernel.process()))
      writer.close()
      kernel.put(path, old)

      let reader = try mailbox.reader(kernel.process())
      let segment = try #require(try reader.segmentIDs().first)
      #expect(store.state.ledger[segment] == 5)
      #expect(try reader.lastSequence(of: segment) == 3)
      // Entry 6 is gone with the newer file; nothing doubles, and what is appended now gets no sequence that the ledger knows.
      try mailbox.writer(kernel.process()).append("7")
      promoter.limit = .max
      try promoter.drain(reader)
      #expect(store.state.insertions == ["1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "7": 1])
      #expect(store.state.skippedCount == 3)
      #expect(mailbox.names.isEmpty)
    }

    @Test("A header that was lost with records behind it is reported, and the others go on")
    func lostHeader() throws {
      let kernel = CrashKernel()
      let mailbox = CrashMailbox(kernel)
      try mailbox.writer(kernel).append("a")
      kernel.alter(mailbox.path("00000001.segment")) { bytes in for index in 0..<4096 { bytes[index] = 0 } }
      try mailbox.writer(kernel).append("b")
      let reader = try mailbox.reader(kernel)
      #expect(try reader.damage().map(\.path) == [mailbox.path("00000001.segment")])
      #expect(try promoted(mailbox) == ["b": 1])
      #expect(mailbox.segments == ["00000001.segment"])
    }
  }
#endif
