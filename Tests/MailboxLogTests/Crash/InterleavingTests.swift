#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Between any two system calls of one process another one does something whole.
  ///
  /// Where words go through `pwrite` that is between any two accesses to anything shared.
  @Suite struct InterleavingTests {
    private final class Reports: @unchecked Sendable {
      private(set) var messages: [String] = []
      func add(_ message: String) { messages.append(message) }
    }

    enum Outer: CaseIterable { case append, batch, acknowledge, drain, open, synchronize }
    enum Inner: CaseIterable { case append, growth, batch, acknowledgeByOther, drainByOther }

    @Test("Any call of one process inside any call of another", arguments: Outer.allCases, FailpointTests.kinds)
    func interleaved(_ outer: Outer, _ kind: FileSystemKind) throws {
      for inner in Inner.allCases {
        for state in JointCrashTests.isLong ? [0, 1, 2, 3] : outer == .acknowledge || outer == .drain ? [1, 2] : [3] {
          var step = 0
          while try run(outer, inner, state, at: step, kind) { step += 1 }
          #expect(step > 0)
        }
      }
    }

    /// - Parameter state: bit 0, a batch is consumed in part; bit 1, the file is nearly full.
    /// - Returns: whether the outer call made that many system calls.
    private func run(_ outer: Outer, _ inner: Inner, _ state: Int, at step: Int, _ kind: FileSystemKind) throws -> Bool {
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      var mailbox = CrashMailbox(CrashKernel(settings))
      let reports = Reports()
      mailbox.logHandler = { if $0.kind == .damageFound || $0.kind == .recovered { reports.add($0.message) } }
      let store = StandInStore()
      var expected: [String] = []
      func append(_ ids: [String], _ writer: MailboxWriter, filler: Int = 0) throws {
        if filler > 0 { try writer.append(id: "filler", payload: [UInt8](repeating: 1, count: filler)) }
        try writer.append(ids)
        expected += ids
      }
      let process = SteppedProcess(mailbox.kernel)
      let writer = try mailbox.writer(process, outer == .synchronize ? .processCrash : .powerLoss)
      let other = try mailbox.writer(mailbox.kernel.process())
      try append(["first"], writer, filler: state & 2 == 0 ? 0 : 52_000)
      try append(["one of 3", "two of 3", "three of 3"], other)
      let reader = try mailbox.reader(process)
      let otherReader = try mailbox.reader(mailbox.kernel.process())
      var promoter = StandInPromoter(store)
      promoter.limit = state & 2 == 0 ? 2 : 3
      if state & 1 != 0 { try promoter.step(reader) }
      // Committed, and not acknowledged yet: one may be, while the other promotes.
      let committed = inner == .acknowledgeByOther ? try promoter.promote(otherReader) : []

      var isReached = false
      var failure: (any Error)?
      process.restart()
      // Before the call, and after it: what follows may be an access to a mapping.
      let meanwhile = { (count: Int, _: SystemCall) in
        guard count == step / 2, !isReached else { return }
        isReached = true
        do {
          switch inner {
          case .append: try append(["inner"], other)
          case .growth: try append(["inner"], other, filler: 9000)
          case .batch: try append(["inner 1", "inner 2", "inner 3"], other)
          case .acknowledgeByOther: try otherReader.acknowledge(committed)
          case .drainByOther: try promoter.drain(otherReader)
          }
        } catch LogError.busy where kind == .mayAllocateAgain {
        } catch is StandInStore.Busy {
        } catch { failure = error }
      }
      if step % 2 == 0 { process.beforeCall = meanwhile } else { process.afterCall = meanwhile }
      switch outer {
      case .append: try append(["outer"], writer)
      case .batch: try append(["outer 1", "outer 2"], writer)
      case .acknowledge: try promoter.step(reader)
      case .drain: try promoter.drain(reader)
      case .open: _ = try mailbox.reader(process)
      case .synchronize: try writer.synchronize()
      }
      (process.beforeCall, process.afterCall) = (nil, nil)
      promoter.limit = .max
      try promoter.drain(reader)
      let what = "\(inner) in \(outer) at \(step), state \(state), \(kind)"
      #expect(failure == nil, "\(what): \(failure.map { "\($0)" } ?? "")")
      let counts = store.state.insertions
      let wrong = expected.filter { counts[$0] != 1 } + counts.filter { $0.value != 1 }.map(\.key)
      #expect(wrong.isEmpty, "\(what): not there once: \(wrong)")
      #expect(mailbox.names.isEmpty, "\(what): \(mailbox.names) left")
      #expect(reports.messages.isEmpty, "\(what): \(reports.messages)")
      return isReached
    }
  }
#endif
