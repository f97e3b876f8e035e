#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Every system call of every operation on a log fails once, or from one on for good.
  ///
  /// What comes of it is a typed error or a success; what was there stays, a handle goes on when the fault is gone (or says that it failed
  /// earlier, and a new one does), no descriptor and no lock is left, and after a compaction no litter.
  @Suite struct LogFaultTests {
    static let kinds: [FileSystemKind] = [.overwritesInPlace, .mayAllocateAgain]
    static let codes = [ErrorNumber.inputOutput, ErrorNumber.noSpace, ErrorNumber.noPermission]

    @Test("Each system call fails once", arguments: LogFaultScene.Operation.allCases, LogFaultTests.kinds)
    func once(_ operation: LogFaultScene.Operation, _ kind: FileSystemKind) throws {
      // Many records take long; sealed, there are fewer.
      let isLarge = [.setIndexing, .compactIndexing].contains(operation)
      if isLarge, kind != .overwritesInPlace, !LogUnderTest.isLong { return }
      for isSealed in isLarge && !LogUnderTest.isLong ? [true] : [false, true] {
        for code in isLarge ? [ErrorNumber.inputOutput] : Self.codes {
          try each(operation, kind, isSealed: isSealed, isDurable: isSealed) { $0.fail(at: $1, with: code) }
        }
      }
    }

    @Test("All system calls fail from one on, and later no more", arguments: LogFaultScene.Operation.allCases)
    func permanently(_ operation: LogFaultScene.Operation) throws {
      try each(operation, .overwritesInPlace, isSealed: true, isDurable: true) {
        $0.fail(at: $1, with: ErrorNumber.inputOutput, isPermanent: true)
      }
    }

    @Test("Interrupted calls are made again", arguments: LogFaultScene.Operation.allCases, [2, 5])
    func interrupted(_ operation: LogFaultScene.Operation, _ period: Int) throws {
      let scene = try LogFaultScene(operation, .overwritesInPlace, isSealed: true, isDurable: true)
      scene.kernel.interruptionPeriod = period
      scene.kernel.transferByteCountMax = 100
      #expect(throws: Never.self) { try scene.run() }
      scene.kernel.clearFailures()
      scene.kernel.transferByteCountMax = nil
      let problems = try scene.problems(after: nil)
      #expect(problems.isEmpty, "\(operation), every \(period): \(problems)")
    }

    private func each(
      _ operation: LogFaultScene.Operation, _ kind: FileSystemKind, isSealed: Bool, isDurable: Bool,
      _ inject: (CrashKernel, Int) -> Void
    ) throws {
      // How many calls it takes is known from a run without a fault.
      let plain = try LogFaultScene(operation, kind, isSealed: isSealed, isDurable: isDurable)
      plain.kernel.resetCounts()
      try plain.run()
      let total = plain.kernel.totalCallCount
      // Reads of a mapped file make none.
      #expect(total > 0 || [.get].contains(operation))
      for number in stride(from: 1, through: total, by: 1) {
        let scene = try LogFaultScene(operation, kind, isSealed: isSealed, isDurable: isDurable)
        inject(scene.kernel, number)
        var failure: LogError?
        do { try scene.run() } catch let error as LogError { failure = error }
        scene.kernel.clearFailures()
        switch failure {
        case nil, .system, .noSpace, .failedEarlier, .busy: break
        case .some(let other): Issue.record("\(operation), \(kind), call \(number) of \(total): \(other)")
        }
        let problems = try scene.problems(after: failure)
        #expect(
          problems.isEmpty,
          "\(operation), \(kind), sealed \(isSealed), call \(number) of \(total), \(failure.map { "\($0)" } ?? "no error"): \(problems)"
        )
      }
    }
  }
#endif
