#if DEBUG
  package import MailboxLog

  /// What a transactional store would hold after promotion: messages, and the ledger that commits with them.
  package struct StandInState: Sendable {
    /// How often each id was inserted, by whole entries only.
    package private(set) var insertions: [String: Int] = [:]
    /// Per segment the last promoted sequence.
    package private(set) var ledger: [MailboxSegmentID: UInt64] = [:]
    /// Entries that were there and couldn't be opened, or whose payload wasn't what was appended.
    package private(set) var unreadable: [String] = []
    /// Entries that the ledger knew.
    package private(set) var skippedCount = 0

    package init() {}

    fileprivate mutating func promote(_ entry: borrowing MailboxEntry) {
      let position = entry.position
      guard position.sequence > ledger[position.segment] ?? 0 else {
        skippedCount += 1
        return
      }
      ledger[position.segment] = position.sequence
      let isWhole = entry.openingFailure == nil && entry.payload == CrashMailbox.payload(entry.id)
      if isWhole { insertions[entry.id, default: 0] += 1 } else { unreadable.append("\(position)") }
    }
    fileprivate mutating func forget(_ segment: MailboxSegmentID) { ledger[segment] = nil }
  }

  /// A store whose commit is one assignment: atomic, and durable once it has returned.
  package final class StandInStore {
    package private(set) var state: StandInState
    /// Called right after each commit, before anything is acknowledged.
    package var onCommit: ((StandInState) -> Void)?

    package init(_ state: StandInState = StandInState()) { self.state = state }

    /// One write transaction at a time, as in any store: a second one is refused while the first is open.
    package struct Busy: Error {}
    private var isOpen = false

    /// Commits what `body` makes of the state, unless it throws.
    fileprivate func transaction(_ body: (inout StandInState) throws -> Void) throws {
      if isOpen { throw Busy() }
      isOpen = true
      defer { isOpen = false }
      var changed = state
      try body(&changed)
      state = changed
      onCommit?(state)
    }
  }

  /// Drain, de-duplicate by the ledger, commit, acknowledge: promotion in its smallest form.
  package struct StandInPromoter {
    /// Entries were acknowledged and still wait.
    package struct Stuck: Error {}

    package let store: StandInStore
    /// How many entries one commit takes at most.
    package var limit = Int.max
    /// Acknowledges the second half of each commit before the first, so that there are gaps.
    package var leavesGaps = false

    package init(_ store: StandInStore) { self.store = store }

    /// Promotes all that waits.
    package func drain(_ reader: MailboxReader) throws {
      var rest = 10_000
      while try step(reader) > 0 {
        rest -= 1
        if rest == 0 { throw Stuck() }
      }
    }

    /// One commit, acknowledged. - Returns: how many entries there were.
    @discardableResult
    package func step(_ reader: MailboxReader) throws -> Int {
      let positions = try promote(reader)
      if leavesGaps { try reader.acknowledge(Array(positions[(positions.count / 2)...])) }
      try reader.acknowledge(positions)
      try dropRows(reader)
      return positions.count
    }

    /// One commit. - Returns: what may be acknowledged now.
    package func promote(_ reader: MailboxReader) throws -> [MailboxPosition] {
      var positions: [MailboxPosition] = []
      try store.transaction { state in
        try reader.forEachPendingRecord(limit: limit, byteCountMax: .max) { entry in
          positions.append(entry.position)
          state.promote(entry)
        }
      }
      return positions
    }

    /// A row goes in a commit after its segment's removal is durable.
    private func dropRows(_ reader: MailboxReader) throws {
      let rows = store.state.ledger.keys
      let present = try reader.segmentIDs()
      let gone = rows.filter { !present.contains($0) }
      if gone.isEmpty { return }
      try reader.synchronizeRemovals()
      try store.transaction { state in for segment in gone { state.forget(segment) } }
    }
  }
#endif
