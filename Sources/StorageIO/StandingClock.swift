#if !hasFeature(Embedded)
  /// The system with a clock that stands still from one `stand` to the next: what is to expire a while after a write then expires at an
  /// exact moment. For one thread.
  package final class StandingClock: SystemCalls, @unchecked Sendable {
    private var now: Int64 = 0

    package override init() {
      super.init()
      now = super.realtimeMicroseconds()
    }

    /// Takes the time. - Returns: it, in microseconds since 1970.
    package func stand() -> Int64 {
      now = super.realtimeMicroseconds()
      return now
    }
    package override func realtimeMicroseconds() -> Int64 { now }
  }
#endif
