import MailboxLog
import Synchronization

extension Promoter {
  /// Returns once everything that was appended before the call is in the store, by this process or another.
  ///
  /// Guarantee: on return, as ``drain(progress:)`` for each entry whose append had returned, in whatever process.
  /// - Parameter timeout: the longest wait. When it passes, the drain ends after the batch that it is in, without being waited
  ///   for: what it commits stays.
  /// - Returns: what this process did.
  /// - Throws: ``PromotionError/timedOut(remainingCount:)``, and what ``drain(progress:)`` throws.
  /// - Concurrency: as ``drain(progress:)``, but never longer than `timeout`, whatever the store waits for.
  @discardableResult
  public func drained(timeout: Duration) async throws(PromotionError) -> PromotionReport {
    guard try hasPending() else { return PromotionReport() }
    let goal = try lastSequences()
    let race = Race<Result<PromotionReport, PromotionError>?>()
    let drain = Task {
      do throws(PromotionError) {
        race.finish(.success(try await self.drain(until: goal)))
      } catch {
        race.finish(.failure(error))
      }
    }
    let timer = Task {
      try? await Task.sleep(for: timeout)
      race.finish(nil)
    }
    let result = await withTaskCancellationHandler {
      await race.value()
    } onCancel: {
      drain.cancel()
    }
    timer.cancel()
    if let result { return try result.get() }
    drain.cancel()
    throw .timedOut(remainingCount: (try? pendingCount()) ?? 0)
  }

  /// The newest entry of each segment that has one.
  private func lastSequences() throws(PromotionError) -> [MailboxSegmentID: UInt64] {
    do {
      var sequences: [MailboxSegmentID: UInt64] = [:]
      for segment in try inbox.segmentIDs() { sequences[segment] = try inbox.lastSequence(of: segment) }
      return sequences.filter { $0.value > 0 }
    } catch {
      throw .mailbox(error)
    }
  }
}

/// The first of several values, for one who waits.
private final class Race<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Value, Never>?)
    case finished(Value)
  }
  private let state = Mutex(State.open(nil))

  /// Later values are passed over.
  func finish(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      guard case .open(let waiter) = state else { return nil }
      state = .finished(value)
      return waiter
    }
    waiter?.resume(returning: value)
  }

  /// Called once.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if case .finished(let value) = state { return value }
        state = .open(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
