internal import Anteroom
internal import ChatPush

/// What a run came to.
struct ChatOutcome: Sendable {
  let verification: Verification
  let statistics: RunStatistics
  let lastDrain: PromotionReport
  let pendingCount: Int
  let quarantinedCount: Int
  let pushCount: Int
  let peakLimit: Int?
  var inspectorEnd = ProcessEnd.exited(0)

  /// Whether everything is as promised.
  var isGood: Bool {
    verification.isGood && pendingCount == 0 && quarantinedCount == 0 && lastDrain.damagedRangeCount == 0 && isPeakGood
      && statistics.acknowledgedCount == pushCount && inspectorEnd == .exited(0)
  }

  var isPeakGood: Bool {
    guard let peakLimit else { return true }
    return helpers.allSatisfy { (1...peakLimit).contains($0.peakKibibytes) }
  }

  var helpers: [HelperFigures] { statistics.oneShots + statistics.longLived + statistics.lateOneShots }

  func with(inspector end: ProcessEnd) -> ChatOutcome {
    var outcome = self
    outcome.inspectorEnd = end
    if end != .exited(0) { printError("chat-app: kvtool ended with \(end)") }
    return outcome
  }
}
