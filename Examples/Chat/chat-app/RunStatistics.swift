/// What happened while pushes were sent.
struct RunStatistics: Sendable {
  /// Distinct pushes that a helper said `ok` to.
  var acknowledgedCount = 0
  var copyCount = 0
  var resentCount = 0
  /// Pushes that were appended as they came.
  var expiredCount = 0
  var oneShotKillCount = 0
  var longLivedKillCount = 0
  var drainKillCount = 0
  var oneShots: [HelperFigures] = []
  var longLived: [HelperFigures] = []
  /// One-shot helpers at the very end, and how much was pending then.
  var lateOneShots: [HelperFigures] = []
  var latePendingCount = 0
  var startedAt = monotonicNanoseconds()
  var sentNanoseconds: UInt64 = 0
  var endedNanoseconds: UInt64 = 0
}
