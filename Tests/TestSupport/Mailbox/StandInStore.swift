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

  fileprivate mutating func promote(_ entry: StandInPromoter.Taken) {
    guard entry.position.sequence > ledger[entry.position.segment] ?? 0 else {
      skippedCount += 1
      return
    }
    ledger[entry.position.segment] = entry.position.sequence
    if let id = entry.id { insertions[id, default: 0] += 1 } else { unreadable.append("\(entry.position)") }
  }
  fileprivate mutating func forget(_ segment: MailboxSegmentID) { ledger[segment] = nil }
}

/// A store whose commit is one assignment: atomic, and durable once it has returned.
package final class StandInStore {
  package private(set) var state: StandInState
  /// Called right after each commit, before anything is acknowledged.
  package var onCommit: ((StandInState) -> Void)?

  package init(_ state: StandInState = StandInState()) { self.state = state }

  fileprivate func commit(_ body: (inout StandInState) -> Void) {
    body(&state)
    onCommit?(state)
  }
}

/// Drain, de-duplicate by the ledger, commit, acknowledge: promotion in its smallest form.
package struct StandInPromoter {
  fileprivate struct Taken {
    let position: MailboxPosition
    let id: String?
  }
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

  /// One commit. - Returns: how many entries there were.
  @discardableResult
  package func step(_ reader: MailboxReader) throws -> Int {
    var taken: [Taken] = []
    try reader.forEachPendingRecord(limit: limit, byteCountMax: .max) { entry in
      let isWhole = entry.openingFailure == nil && entry.payload == CrashMailbox.payload(entry.id)
      taken.append(Taken(position: entry.position, id: isWhole ? entry.id : nil))
    }
    if !taken.isEmpty {
      store.commit { state in for entry in taken { state.promote(entry) } }
      let positions = taken.map(\.position)
      if leavesGaps { try reader.acknowledge(Array(positions[(positions.count / 2)...])) }
      try reader.acknowledge(positions)
    }
    try dropRows(reader)
    return taken.count
  }

  /// A row goes in a commit after its segment's removal is durable.
  private func dropRows(_ reader: MailboxReader) throws {
    let present = try reader.segmentIDs()
    let gone = store.state.ledger.keys.filter { !present.contains($0) }
    if gone.isEmpty { return }
    try reader.synchronizeRemovals()
    store.commit { state in for segment in gone { state.forget(segment) } }
  }
}
