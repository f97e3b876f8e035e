#if DEBUG
  import Foundation
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Mailbox, store and directory, each persisting by itself, cut off at every point.
  ///
  /// A run of 500 appends by two processes with drains in between is recorded once. Then the machine stops after a number of its events,
  /// with some choice of what had not been synced; it starts again, drains, goes on appending and drains again. What was promised at
  /// the cut is in the store exactly once then, and nothing is there twice or in part.
  @Suite struct JointCrashTests {
    static let isLong = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] != nil
    static let runs: [JointRun.Settings] = [
      .init(seed: 1), .init(hasUnsyncedWriter: false, seed: 2), .init(isEncrypted: true, seed: 3, appendCount: isLong ? 500 : 120),
      .init(kind: .mayAllocateAgain, seed: 4), .init(kind: .mayAllocateAgain, hasUnsyncedWriter: false, seed: 5),
      .init(seed: 6, splitsBatches: true),
    ]

    @Test("Exactly once in the store after a loss of power anywhere", arguments: runs)
    func exactlyOnce(_ settings: JointRun.Settings) throws {
      let run = try JointRun(settings)
      var figures = JointFigures()
      var generator = SplitMix64(seed: settings.seed ^ 0xC0FFEE)
      // Around commits and promises every cut; elsewhere a sample.
      let stride = Self.isLong ? 1 : max(1, run.history.count / 40)
      let near = run.commits.map(\.position).flatMap { [$0, $0 + 1, $0 + 3] }
      let isNear = Set(near.enumerated().filter { Self.isLong || $0.offset % 8 == 0 }.map(\.element))
      var failed = 0
      for cut in 0...run.history.count where cut % stride == 0 || isNear.contains(cut) {
        figures.cuts += 1
        for choice in choices(run, cut, &generator) {
          let states = run.states(at: cut)
          let state = states[Int(generator.next() % UInt64(states.count))]
          let problems = Result { try run.problems(after: cut, choice, state, &figures) }
          switch problems {
          case .success(let found) where found.isEmpty: continue
          case .success(let found): Issue.record("cut \(cut), \(choice): \(found.prefix(4))")
          case .failure(let error): Issue.record("cut \(cut), \(choice): \(error)")
          }
          failed += 1
          if failed == 5 { return }
        }
      }
      print("joint crash device, \(settings): \(run.history.count) events, \(figures)")
    }

    private func choices(_ run: JointRun, _ cut: Int, _ generator: inout SplitMix64) -> [CrashChoice] {
      let pending = run.history.pendingCount(after: cut)
      let all: [CrashChoice] = [
        .nothing, .everything, .random(seed: generator.next()), .prefix(Int(generator.next() % UInt64(pending + 1))),
        .random(seed: generator.next(), tearsInsideSectors: true), .prefix(Int(generator.next() % UInt64(pending + 1))),
        .random(seed: generator.next()),
      ]
      if Self.isLong { return all }
      let first = Int(generator.next() % 7)
      return [all[first], all[(first + 2 + Int(generator.next() % 4)) % 7]]
    }
  }
#endif
