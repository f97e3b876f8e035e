/// A draining process, which goes through both segments once: `MailboxDrain`, `Acknowledgement` and `SegmentRemoval`.
struct ModelReader {
  enum Step: UInt8 {
    case done, state, consumed, committed, deliver
    case walkConsumed, walkCommitted, walkMarks, mark, raise, finish
    case removeLock, removeLook, seal, markRemoved, unlink, unlock, finishLock
  }
  var step = Step.done
  var segment: UInt8 = 0
  var from: UInt8 = 0
  var to: UInt8 = 0
  /// What was acknowledged before this reader looked.
  var known: UInt8 = 0
  /// What this reader acknowledges.
  var listed: UInt8 = 0
  var newMarks: UInt8 = 0
  var newEnd: UInt8 = 0
  var hasMarked = false
  /// Whether everything that this reader saw is acknowledged: for the mistake of removing without another look.
  var isConsumed = false

  init() {}
  init(isStarted: Bool) { step = isStarted ? .state : .done }

  var holdsLock: Bool {
    switch step {
    case .removeLook, .seal, .markRemoved, .unlink, .unlock: true
    default: false
    }
  }

  func action(_ rules: ModelRules) -> ModelAction? {
    switch step {
    case .done: nil
    case .state: .loadState
    case .consumed, .walkConsumed: .loadConsumed
    case .committed, .walkCommitted: .loadCommitted
    case .deliver: .deliver(from: from, to: to, known: known)
    case .walkMarks: .loadMarks
    case .mark: .mark(newMarks)
    case .raise: .raise(newEnd)
    case .finish: .finishAcknowledging(listed)
    case .removeLock, .finishLock: .tryLock
    case .removeLook: .loadEnds
    case .seal: .seal
    case .markRemoved: .markRemoved
    case .unlink: .unlink
    case .unlock: .unlock
    }
  }

  /// - Parameter chosen: of what was delivered, what is acknowledged.
  mutating func advance(_ result: UInt8, chosen: UInt8, _ rules: ModelRules) {
    switch step {
    case .done: break
    case .state: if result == 9 { next() } else { step = result == 2 ? .finishLock : .consumed }
    case .consumed:
      from = result
      step = .committed
    case .committed:
      to = result
      step = .deliver
    case .deliver:
      known = 0
      listed = chosen
      // Something stays: nothing to retire. Nothing there: the end is moved over what is marked.
      if chosen == 0, result != 0 { next() } else { step = .walkConsumed }
    case .walkConsumed:
      from = result
      step = .walkCommitted
    case .walkCommitted:
      to = result
      step = .walkMarks
    case .walkMarks: walk(marks: result, rules)
    case .mark:
      hasMarked = true
      newMarks = 0
      afterWalk(rules)
    case .raise:
      newEnd = 0
      step = rules.looksAgain && (hasMarked || !rules.onlyMarkersLookAgain) ? .walkConsumed : .finish
      hasMarked = false
    case .finish:
      listed = 0
      if rules.looksBeforeRemoving || isConsumed { step = .removeLock } else { next() }
    case .removeLock: if result == 0 { next() } else { step = rules.looksBeforeRemoving ? .removeLook : .seal }
    case .removeLook: step = result == 8 ? .unlink : result == 1 ? .seal : .unlock
    case .seal: step = .markRemoved
    case .markRemoved: step = .unlink
    case .unlink: step = .unlock
    case .unlock: next()
    case .finishLock: if result == 0 { next() } else { step = .unlink }
    }
  }

  /// From the consumed end over what is acknowledged; what is listed behind a gap is marked.
  private mutating func walk(marks: UInt8, _ rules: ModelRules) {
    var end = from
    var hasGap = false
    for place in from..<max(to, from) {
      let bit: UInt8 = 1 << place
      let (isListed, isMarked) = (listed & bit != 0, marks & bit != 0)
      if !hasGap || !rules.marksBehindGaps, isListed || isMarked {
        end = place + 1
      } else if !isListed {
        hasGap = hasGap || !isMarked
      } else if !isMarked {
        newMarks |= bit
      }
    }
    newEnd = end > from ? end : 0
    isConsumed = max(end, from) >= to && to > 0
    from = 0
    to = 0
    if newMarks != 0 { step = .mark } else { afterWalk(rules) }
  }
  private mutating func afterWalk(_ rules: ModelRules) {
    if newEnd > 0 {
      step = .raise
    } else if hasMarked, rules.looksAgain {
      hasMarked = false
      step = .walkConsumed
    } else {
      hasMarked = false
      step = .finish
    }
  }

  private mutating func next() {
    let isLast = segment == 1
    self = ModelReader()
    if !isLast {
      segment = 1
      step = .state
    }
  }
}
