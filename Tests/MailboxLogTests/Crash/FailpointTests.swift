#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// A process dies, or stops with whatever it holds, at each named point; the others go on.
  @Suite struct FailpointTests {
    /// Those of a mailbox.
    static let points = Failpoint.allCases.filter {
      ![.batchPromoted, .batchCommitted, .batchAcknowledged, .logSuperseding, .logReplaced].contains($0)
    }
    static let kinds: [FileSystemKind] = [.overwritesInPlace, .mayAllocateAgain]

    @Test("Death anywhere: nothing acknowledged is lost, nothing doubles, whoever comes next clears up", arguments: points, kinds)
    func death(_ point: Failpoint, _ kind: FileSystemKind) throws {
      var occurrence = 1
      while true {
        let scene = FailpointScene(kind)
        let process = scene.mailbox.kernel.process()
        var rest = occurrence
        process.onReach = { [unowned process] reached in
          guard reached == point else { return }
          rest -= 1
          if rest == 0 { process.kill() }
        }
        // From the death on every call of the dead process fails.
        try? scene.life(process)
        if rest > 0 { break }
        try scene.others("after")
        let problems = scene.problems()
        #expect(problems.isEmpty, "\(point), occurrence \(occurrence): \(problems)")
        occurrence += 1
      }
      // Where words go through `pwrite`, one call stores all three.
      #expect(occurrence > 1 || (point == .sequenceStored && kind == .mayAllocateAgain), "\(point) was never reached")
    }

    @Test("Stopped anywhere: appends of others don't wait, drains complete", arguments: points, kinds)
    func stop(_ point: Failpoint, _ kind: FileSystemKind) throws {
      var occurrence = 1
      while true {
        let scene = FailpointScene(kind)
        let process = scene.mailbox.kernel.process()
        var rest = occurrence
        var failure: (any Error)?
        process.onReach = { reached in
          guard reached == point else { return }
          rest -= 1
          // The process stands here, with all its locks, while the others live.
          if rest == 0 { do { try scene.others("meanwhile") } catch { failure = error } }
        }
        try scene.life(process)
        if rest > 0 { break }
        #expect(failure == nil, "\(point), occurrence \(occurrence): \(failure.map { "\($0)" } ?? "")")
        try scene.others("after")
        let problems = scene.problems()
        #expect(problems.isEmpty, "\(point), occurrence \(occurrence): \(problems)")
        occurrence += 1
      }
    }
  }

  /// A life that reaches every failpoint, and what has to be true whatever comes of it.
  private final class FailpointScene {
    let mailbox: CrashMailbox
    private let store = StandInStore()
    private var returned: [String] = []
    private var begun: [[String]] = []
    private var sleepCount = 0

    init(_ kind: FileSystemKind) {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      mailbox = CrashMailbox(CrashKernel(settings))
    }

    private func append(_ ids: [String], _ writer: MailboxWriter, of process: KernelProcess) throws {
      begun.append(ids)
      try writer.append(ids)
      // A dead process returns from nothing, and stores through a mapping don't fail.
      if process.isKilled { throw LogError.closed }
      returned += ids
    }

    /// Durable and unsynced appends, batches, acknowledgements with gaps and without, removals, creations.
    func life(_ process: KernelProcess) throws {
      let durable = try mailbox.writer(process)
      let unsynced = try mailbox.writer(process, .processCrash)
      let reader = try mailbox.reader(process)
      var promoter = StandInPromoter(store)
      promoter.leavesGaps = true
      for round in 1...2 {
        for number in 1...3 {
          try append(["durable \(round) \(number)"], durable, of: process)
          try append(["unsynced \(round) \(number)"], unsynced, of: process)
        }
        try append((1...3).map { "batch \(round) \($0)" }, durable, of: process)
        try append((1...3).map { "unsynced batch \(round) \($0)" }, unsynced, of: process)
        try unsynced.synchronize()
        promoter.limit = 5
        try promoter.step(reader)
        promoter.limit = .max
        try promoter.drain(reader)
      }
    }

    /// Another process appends and a third one drains, neither with a wait.
    func others(_ label: String) throws {
      let appending = SteppedProcess(mailbox.kernel)
      let durable = try mailbox.writer(appending)
      for number in 1...2 { try append(["\(label) \(number)"], durable, of: appending) }
      let unsynced = try mailbox.writer(appending, .processCrash)
      for number in 3...5 { try append(["\(label) \(number)"], unsynced, of: appending) }
      try append(["\(label) 6", "\(label) 7"], durable, of: appending)
      sleepCount += appending.sleepCount
      let draining = SteppedProcess(mailbox.kernel)
      do {
        try StandInPromoter(store).drain(try mailbox.reader(draining))
        sleepCount += draining.sleepCount
      } catch LogError.busy where mailbox.kernel.settings.fileSystemKind == .mayAllocateAgain && !mailbox.lockedNames.isEmpty {
        // Where words go through `pwrite`, an acknowledgement may give up at a lock that is held. The commit stands.
      }
    }

    func problems() -> [String] {
      var found: [String] = []
      let there = store.state.insertions
      for id in returned where there[id] != 1 { found.append("\(id) is there \(there[id] ?? 0) times") }
      for (id, count) in there where count != 1 { found.append("\(id) is there \(count) times") }
      for ids in begun {
        let count = ids.filter { there[$0] != nil }.count
        if count != 0, count != ids.count { found.append("half a batch of \(ids)") }
      }
      if !store.state.unreadable.isEmpty { found.append("unreadable: \(store.state.unreadable)") }
      if !mailbox.names.isEmpty { found.append("left: \(mailbox.names)") }
      if sleepCount != 0 { found.append("\(sleepCount) waits") }
      return found
    }
  }
#endif
