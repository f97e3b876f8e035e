#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// Every system call of every operation fails once.
  ///
  /// What comes of it is a typed error or a success; what was there stays, nothing of a refused append is there twice, a handle goes on when
  /// the fault is gone (or says that it failed earlier, and a new one does), no descriptor and no lock is left, and no litter.
  @Suite struct FaultInjectionTests {
    static let codes = [ErrorNumber.inputOutput, ErrorNumber.noSpace, ErrorNumber.noPermission]

    @Test("Each system call fails once", arguments: FaultScene.Operation.allCases, FailpointTests.kinds)
    func once(_ operation: FaultScene.Operation, _ kind: FileSystemKind) throws {
      for code in Self.codes {
        var number = 1
        while try check(operation, kind, { $0.fail(at: number, with: code) }, "call \(number) with \(code)") { number += 1 }
        // A lock and an unlock are the least: an append through a mapping.
        #expect(number >= 2)
      }
    }

    @Test("All system calls fail from one on, and later no more", arguments: FaultScene.Operation.allCases)
    func permanently(_ operation: FaultScene.Operation) throws {
      var number = 1
      let code = ErrorNumber.inputOutput
      while try check(
        operation, .overwritesInPlace, { $0.fail(at: number, with: code, isPermanent: true) }, "calls from \(number) on")
      {
        number += 1
      }
    }

    @Test("Interrupted calls are made again", arguments: FaultScene.Operation.allCases, [2, 3, 5])
    func interrupted(_ operation: FaultScene.Operation, _ period: Int) throws {
      let scene = try FaultScene(operation, .overwritesInPlace)
      scene.mailbox.kernel.interruptionPeriod = period
      scene.mailbox.kernel.transferByteCountMax = 100
      #expect(throws: Never.self) { try scene.run() }
      scene.mailbox.kernel.clearFailures()
      scene.mailbox.kernel.transferByteCountMax = nil
      let problems = try scene.problems(after: nil)
      #expect(problems.isEmpty, "\(operation), every \(period): \(problems)")
    }

    /// - Returns: whether the fault came.
    private func check(
      _ operation: FaultScene.Operation, _ kind: FileSystemKind, _ inject: (CrashKernel) -> Void, _ what: String
    ) throws -> Bool {
      let scene = try FaultScene(operation, kind)
      let kernel = scene.mailbox.kernel
      // How many calls it takes is known from a run without a fault.
      let plain = try FaultScene(operation, kind)
      plain.mailbox.kernel.resetCounts()
      try plain.run()
      let total = plain.mailbox.kernel.totalCallCount
      kernel.resetCounts()
      inject(kernel)
      var failure: LogError?
      do { try scene.run() } catch let error as LogError { failure = error }
      let number = Int(what.split(separator: " ").first { Int($0) != nil } ?? "") ?? 1
      kernel.clearFailures()
      switch failure {
      case nil, .system, .noSpace, .failedEarlier, .busy: break
      case .some(let other): Issue.record("\(operation), \(kind), \(what): \(other)")
      }
      let problems = try scene.problems(after: failure)
      #expect(problems.isEmpty, "\(operation), \(kind), \(what), \(failure.map { "\($0)" } ?? "no error"): \(problems)")
      return number < total
    }
  }
#endif
