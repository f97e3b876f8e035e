import MailboxListening
import MailboxLog

/// The reports of ``Promoter/run()``: one for each drain that found something.
///
/// It works only while it is iterated: the drain happens inside `next()`.
public struct PromotionReports: AsyncSequence, Sendable {
  /// What one drain did.
  public typealias Element = PromotionReport
  /// Why a drain stopped; the sequence is over after it.
  public typealias Failure = PromotionError
  let arrivals: MailboxArrivals
  let drain: @Sendable () async throws(PromotionError) -> PromotionReport

  init(arrivals: MailboxArrivals, drain: @escaping @Sendable () async throws(PromotionError) -> PromotionReport) {
    self.arrivals = arrivals
    self.drain = drain
  }

  /// Waits, drains, and reports.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var arrivals: MailboxArrivals.AsyncIterator
    let drain: @Sendable () async throws(PromotionError) -> PromotionReport
    private var isOver = false
    private var isBehind = false

    init(arrivals: MailboxArrivals.AsyncIterator, drain: @escaping @Sendable () async throws(PromotionError) -> PromotionReport) {
      self.arrivals = arrivals
      self.drain = drain
    }

    /// The next report; nil once the task is cancelled or the reader closed.
    ///
    /// - Throws: what ``Promoter/drain(progress:)`` throws, once; then it returns nil.
    public mutating func next() async throws(PromotionError) -> PromotionReport? { try await next(isolation: nil) }

    /// The next report; nil once the task is cancelled or the reader closed.
    ///
    /// - Parameter actor: where the caller runs.
    /// - Throws: what ``Promoter/drain(progress:)`` throws, once; then it returns nil.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(PromotionError) -> PromotionReport? {
      while !isOver {
        // What came during the last drain needs no arrival to be seen.
        if !isBehind, await arrivals.next(isolation: actor) == nil { break }
        if Task.isCancelled { break }
        do throws(PromotionError) {
          let report = try await drain()
          isBehind = report.remainingCount > 0
          if !report.isEmpty { return report }
          // Nothing that could be promoted, and something waits: whatever is in the way gets time to go.
          if isBehind { try? await Task.sleep(for: .milliseconds(100)) }
        } catch {
          switch error {
          case .mailbox(.suspended):
            isBehind = true
            try? await Task.sleep(for: .milliseconds(500))
            continue
          case .cancelled, .mailbox(.closed):
            isOver = true
            return nil
          default:
            isOver = true
            throw error
          }
        }
      }
      isOver = true
      return nil
    }
  }

  /// Begins: the first `next()` drains at once if something is pending.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(arrivals: arrivals.makeAsyncIterator(), drain: drain) }
}
