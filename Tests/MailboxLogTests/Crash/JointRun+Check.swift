#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport

  /// What was looked at, for the figures in the log.
  struct JointFigures {
    var cuts = 0
    var images = 0
    var doubleCrashes = 0
    /// Batches of which a part was promoted before the power failed and the rest, promised by nobody, was lost.
    var halfPromotedBatches = 0
    var unfinishedFiles = 0
    /// Records, promised by nobody, that were kept in part together with a torn synced end: they go to the quarantine.
    var tornRecords = 0
  }

  extension JointRun {
    /// Starts the machine again after a loss of power, drains, goes on appending and drains again.
    /// - Returns: what isn't as it should be.
    func problems(after cut: Int, _ choice: CrashChoice, _ state: StandInState, _ figures: inout JointFigures) throws -> [String] {
      figures.images += 1
      let image = history.image(after: cut, choice)
      let mailbox = CrashMailbox(image, isEncrypted: settings.isEncrypted)
      let store = StandInStore(state)
      var promoter = StandInPromoter(store)
      promoter.leavesGaps = cut % 3 == 0
      promoter.limit = cut % 2 == 0 ? .max : 5
      var found: [String] = []
      let isSyncedEndTorn = try settings.hasUnsyncedWriter && hasTornSyncedEnd(mailbox)

      let reader = try mailbox.reader(image)
      try promoter.drain(reader)
      found += unkept(at: cut, in: store.state, before: state, &figures)

      // Now and then the power fails again, in the middle of the clearing up.
      if cut % 5 == 0 {
        figures.doubleCrashes += 1
        let second = CrashMailbox(image.crashImage(choice), isEncrypted: settings.isEncrypted)
        let before = store.state.insertions
        try promoter.drain(try second.reader(second.kernel))
        if before != store.state.insertions { found.append("a second loss of power changed what is in the store") }
      }

      figures.tornRecords += store.state.unreadable.count
      if !store.state.unreadable.isEmpty, !isSyncedEndTorn { found.append("unreadable: \(store.state.unreadable)") }

      let more = ["after 1", "after 2", "after 3", "after 4", "after 5"]
      let before = store.state.insertions
      try mailbox.writer(image.process()).append(Array(more[..<2]))
      let unsynced = try mailbox.writer(image.process(), .processCrash)
      for id in more[2...] { try unsynced.append(id) }
      try promoter.drain(reader)
      found += unkept(at: cut, in: store.state, before: state, &figures)
      found += more.filter { store.state.insertions[$0] != 1 }.map { "\($0), appended after the loss, isn't there once" }
      if before.count + more.count != store.state.insertions.count { found.append("something turned up late") }
      return found + remains(mailbox, reader, store.state, &figures)
    }

    private func hasTornSyncedEnd(_ mailbox: CrashMailbox) throws -> Bool {
      for name in mailbox.segments {
        let key = settings.isEncrypted ? CrashMailbox.key : nil
        guard let segment = try? SegmentInspection(path: mailbox.path(name), key: key, system: mailbox.kernel) else { continue }
        if segment.words().contains(where: { $0.name == "synced end" && $0.value == nil }) { return true }
      }
      return false
    }

    /// Every append that was promised is there once; of the others each whole or not at all; nothing else.
    private func unkept(
      at cut: Int, in state: StandInState, before: StandInState, _ figures: inout JointFigures
    ) -> [String] {
      var found = state.insertions.filter { $0.value != 1 }.map { "\($0.key) is there \($0.value) times" }
      for append in appends {
        let there = append.ids.filter { state.insertions[$0] != nil }
        let isPromised = append.promised.map { $0 <= cut } ?? false
        if isPromised, there.count < append.ids.count { found.append("lost, of \(append.ids): all but \(there)") }
        if append.begin > cut, !there.isEmpty { found.append("\(there) was never appended") }
        guard !isPromised, !there.isEmpty, there.count < append.ids.count else { continue }
        if settings.splitsBatches, append.ids.contains(where: { before.insertions[$0] != nil }) {
          figures.halfPromotedBatches += 1
        } else {
          found.append("half a batch: \(there) of \(append.ids)")
        }
      }
      return found
    }

    /// Nothing is left once everything is drained, but files of which no more than a part of the first blocks became durable.
    private func remains(
      _ mailbox: CrashMailbox, _ reader: MailboxReader, _ state: StandInState, _ figures: inout JointFigures
    ) -> [String] {
      var found: [String] = []
      if !mailbox.litter.isEmpty { found.append("litter: \(mailbox.litter)") }
      if !mailbox.lockedNames.isEmpty { found.append("locked: \(mailbox.lockedNames)") }
      let damaged = ((try? reader.damage()) ?? []).map(\.path)
      for name in mailbox.segments {
        if settings.hasUnsyncedWriter, damaged.contains(mailbox.path(name)) {
          figures.unfinishedFiles += 1
        } else {
          found.append("\(name) is left")
        }
      }
      if !settings.hasUnsyncedWriter, !damaged.isEmpty { found.append("damaged: \(damaged)") }
      return found
    }
  }
#endif
