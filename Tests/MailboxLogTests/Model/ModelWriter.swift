/// How the protocol is, and how it would be with a mistake in it.
struct ModelRules: Sendable {
  /// The state is read once the lock is there.
  var looksAfterLocking = true
  /// A segment that is busy is passed over.
  var passesOverBusy = true
  /// The committed end is read again under the lock before a segment is removed.
  var looksBeforeRemoving = true
  /// Who marked or moved looks again.
  var looksAgain = true
  /// As it was before: only who marked looked again.
  var onlyMarkersLookAgain = false
  /// A mark is set before the call returns; otherwise the end goes past the gap.
  var marksBehindGaps = true
}

/// An appending process. Its steps are the ones of `MailboxAppender`: claim, write, publish, unlock.
struct ModelWriter {
  enum Step: UInt8 { case done, begin, lock, load, seal, write, publish, unlock, pass }
  var step = Step.done
  var segment: UInt8 = 0
  var end: UInt8 = 0
  var left: UInt8 = 0

  init() {}
  init(appends: UInt8) {
    left = appends
    step = appends > 0 ? .begin : .done
  }

  var holdsLock: Bool {
    switch step {
    case .done, .begin, .lock: false
    case .load, .seal, .write, .publish, .unlock, .pass: true
    }
  }

  /// nil when there is nothing left to do.
  func action(_ rules: ModelRules) -> ModelAction? {
    switch step {
    case .done: nil
    case .begin: rules.looksAfterLocking ? .tryLock : .loadTail
    case .lock: .tryLock
    case .load: .loadTail
    case .seal: .seal
    case .write: .write(end)
    case .publish: .publish(end)
    case .unlock, .pass: .unlock
    }
  }

  /// Goes on with what the action returned.
  mutating func advance(_ result: UInt8, _ rules: ModelRules) throws(ModelViolation) {
    switch step {
    case .done: break
    case .begin where !rules.looksAfterLocking:
      end = result
      step = .lock
      if result == 9 { next() }
    case .begin, .lock:
      if result == 0 {
        // Nobody says when the holder goes on: it may be stopped.
        if !rules.passesOverBusy { throw .waited }
        next()
      } else if step == .lock {
        step = end >= ModelSegment.recordCountMax ? .seal : .write
      } else {
        step = .load
      }
    case .load:
      step = result == 9 ? .pass : result >= ModelSegment.recordCountMax ? .seal : .write
      if result != 9 { end = result }
    case .seal: step = .pass
    case .write: step = .publish
    case .publish:
      step = .unlock
      end = 0
    case .unlock: appended()
    case .pass: next()
    }
  }

  /// The next segment; after the last the append gives up, which loses nothing.
  private mutating func next() {
    end = 0
    step = .begin
    if segment == 0 { segment = 1 } else { appended() }
  }
  private mutating func appended() {
    left -= 1
    segment = 0
    step = left > 0 ? .begin : .done
  }
}
