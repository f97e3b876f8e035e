import Dispatch
import MailboxLog
import Synchronization

/// Reads a mailbox's records on a thread of its own while the caller works on those before: reading, checking and opening records
/// costs about as much as a fifth of promoting them.
///
/// At most ``blockCount`` blocks of ``blockByteCount`` are there at once, so a batch of any length takes the same memory. The order is the
/// mailbox's. The reading ends before ``forEach(_:)`` does, whoever throws.
final class ReadAhead: Sendable {
  /// Fewer records than this aren't worth waking a thread for.
  static let recordCountMin = 256
  static let blockCount = 3
  static let blockByteCount = 64 << 10

  /// Of one side at a time: the reading fills a block, the caller empties it.
  private struct Block: @unchecked Sendable { let entries: EntryBlock }
  private enum Step: Sendable {
    case block(Block)
    /// All was read, or reading failed.
    case end((any Error)?)
  }
  private struct State {
    var steps: [Step] = []
    var isStopped = false
  }
  /// Ends the reading when the caller wants no more.
  private struct Stopped: Error {}

  /// What reads: calls its argument with each record in turn, and ends with what that throws.
  typealias Reading = @Sendable (_ body: (borrowing MailboxEntry) throws -> Void) throws -> Void
  private let reading: Reading
  private let state = Mutex(State())
  private let steps = DispatchSemaphore(value: 0)
  /// How many more blocks may be handed over. From zero: a semaphore may not end below the value that it began with.
  private let room = DispatchSemaphore(value: 0)

  init(_ reading: @escaping Reading) {
    self.reading = reading
    for _ in 1..<Self.blockCount { room.signal() }
  }

  /// Calls `body` with each record, once; a value of its own for each reading. - Throws: what `body` throws, or what ended the reading.
  func forEach(_ body: (borrowing MailboxEntry) throws -> Void) throws {
    // A queue of its own always gets a thread, also when all of the concurrency runtime's wait in here.
    DispatchQueue(label: "anteroom.promotion.read-ahead").async { self.read() }
    while true {
      switch nextStep() {
      case .end(let error):
        if let error { throw error }
        return
      case .block(let block):
        do { try block.entries.forEach(body) } catch {
          stop()
          throw error
        }
        room.signal()
      }
    }
  }

  private func nextStep() -> Step {
    steps.wait()
    return state.withLock { $0.steps.removeFirst() }
  }

  /// Returns when nothing is read any more.
  private func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
    while true { if case .end = nextStep() { return } }
  }

  private func read() {
    var block = EntryBlock(byteCount: Self.blockByteCount)
    do {
      try reading { entry in
        if !block.hasRoom(for: entry) {
          try hand(over: block)
          block = EntryBlock(byteCount: Self.blockByteCount)
        }
        block.append(entry)
      }
      if !block.isEmpty { try hand(over: block) }
      add(.end(nil))
    } catch {
      add(.end(error))
    }
  }

  private func hand(over block: EntryBlock) throws {
    room.wait()
    if state.withLock({ $0.isStopped }) { throw Stopped() }
    add(.block(Block(entries: block)))
  }

  private func add(_ step: Step) {
    state.withLock { $0.steps.append(step) }
    steps.signal()
  }
}
