/// What the processes of the model share: the words of each segment, its marks, its lock and its name.
///
/// Two records fill a segment. Which process wrote one doesn't matter, so a record is its place.
struct ModelSegment {
  enum State: UInt8 { case active, sealed, removed }
  var state = State.active
  var isLinked = true
  var isLocked = false
  var committed: UInt8 = 0
  var consumed: UInt8 = 0
  /// Bits by place.
  var marks: UInt8 = 0
  /// Not in any file: acknowledging was begun, and has returned.
  var asked: UInt8 = 0
  var returned: UInt8 = 0

  static let recordCountMax: UInt8 = 2
  /// The bits of the first records.
  static func prefix(_ count: UInt8) -> UInt8 { (1 << count) - 1 }
}

/// What a process does in one step: no other comes in between.
enum ModelAction {
  case tryLock, unlock, loadState, loadTail, loadConsumed, loadCommitted, loadMarks, loadEnds
  case write(UInt8), publish(UInt8), seal, markRemoved, unlink
  /// Hands out the entries from the consumed to the committed end, as they were loaded, and takes some of them to acknowledge.
  case deliver(from: UInt8, to: UInt8, known: UInt8)
  case mark(UInt8), raise(UInt8), finishAcknowledging(UInt8)
}

/// What must never be; the model's checker stops at the first.
enum ModelViolation: String, Error {
  case appendedBehindAnEnd = "a record was put where another is"
  case appendedIntoSealed = "a record was appended into a sealed, removed or unlinked segment"
  case removedUnread = "a segment with a record that nobody acknowledged was removed"
  case consumedUnread = "the consumed end passed a record that nobody acknowledged"
  case deliveredAgain = "a record was delivered after its acknowledgement had returned"
  case waited = "a writer waits for another process"
  case lost = "a record is neither delivered nor acknowledged in the end"
  case stuck = "everything is acknowledged and the consumed end stays behind"
}

extension ModelSegment {
  /// Does one step. - Returns: what the process sees of it.
  mutating func apply(_ action: ModelAction) throws(ModelViolation) -> UInt8 {
    switch action {
    case .tryLock:
      if isLocked { return 0 }
      isLocked = true
      return 1
    case .unlock: isLocked = false
    case .loadState: return isLinked ? state.rawValue : 9
    case .loadTail: return state == .active ? committed : 9
    case .loadConsumed: return consumed
    case .loadCommitted: return committed
    case .loadMarks: return marks
    case .loadEnds: return state == .removed ? 8 : consumed < committed || committed == 0 && state == .active ? 0 : 1
    case .write(let end): if end < committed { throw .appendedBehindAnEnd }
    case .publish(let end):
      if state != .active || !isLinked { throw .appendedIntoSealed }
      if end != committed { throw .appendedBehindAnEnd }
      committed += 1
    case .seal: state = .sealed
    case .markRemoved: state = .removed
    case .unlink:
      if Self.prefix(committed) & ~asked != 0 { throw .removedUnread }
      isLinked = false
    case .deliver(let from, let to, let known):
      let delivered = Self.prefix(to) & ~Self.prefix(from) & ~marks
      if delivered & known != 0 { throw .deliveredAgain }
      return delivered
    case .mark(let bits): marks |= bits
    case .raise(let end):
      consumed = max(consumed, end)
      if Self.prefix(consumed) & ~asked != 0 { throw .consumedUnread }
    case .finishAcknowledging(let bits): returned |= bits
    }
    return 0
  }
}
