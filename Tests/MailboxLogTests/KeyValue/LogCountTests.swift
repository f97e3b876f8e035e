#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// What a log makes the kernel do. Times depend on the machine; these counts don't.
  @Suite struct LogCountTests {
    /// A log of which other processes know, with some keys, each written twice.
    private struct Bench {
      let directory = TemporaryDirectory()
      let calls = CountingCalls()
      let log: KeyValueLog
      let other: KeyValueLog

      init(isSealed: Bool, durability: LogDurability = .processCrash) throws {
        var options = LogOptions(key: isSealed ? .random() : nil)
        options.durability = durability
        let path = directory.path(of: "counts.kvlog")
        log = try KeyValueLog(path: path, options: options, system: calls)
        other = try KeyValueLog(path: path, options: options, system: CountingCalls())
        for round in 0..<2 { for number in 0..<100 { try log.set(number + round, forKey: "n\(number)") } }
        try log.synchronize()
        calls.resetCounts()
      }
    }

    @Test("Reading makes no system call", arguments: [false, true]) func reading(isSealed: Bool) throws {
      let bench = try Bench(isSealed: isSealed)
      for number in 0..<100 {
        #expect(try bench.log.int(forKey: "n\(number)") == number + 1)
        #expect(try bench.log.contains("n\(number)") && !bench.log.contains("m\(number)"))
        #expect(try bench.log.withBytes(forKey: "n\(number)") { $0.count } == 8)
        #expect(try bench.log.type(forKey: "n\(number)") == .int)
      }
      #expect(bench.calls.totalCallCount == 0, "\(bench.calls.callCounts)")
    }

    @Test("What another process writes is seen without a system call", arguments: [false, true]) func catchingUp(isSealed: Bool)
      throws
    {
      let bench = try Bench(isSealed: isSealed)
      for number in 0..<50 {
        try bench.other.set(-number, forKey: "n\(number)")
        #expect(try bench.log.int(forKey: "n\(number)") == -number)
      }
      #expect(bench.calls.totalCallCount == 0, "\(bench.calls.callCounts)")
    }

    @Test("A write takes the lock and gives it back, and looks at the name once a millisecond", arguments: [false, true])
    func writing(isSealed: Bool) throws {
      let bench = try Bench(isSealed: isSealed)
      for number in 0..<100 { try bench.log.set(7, forKey: "n\(number)") }
      #expect(bench.calls.callCount(.lock) == 100 && bench.calls.callCount(.unlock) == 100)
      // No mapping, no write, no sync: the window that is there is stored to.
      let rest = bench.calls.totalCallCount - 200 - bench.calls.callCount(.status)
      #expect(rest == 0, "\(bench.calls.callCounts)")
      #expect(bench.calls.callCount(.status) <= 100)
    }

    @Test("A durable write is two writes and one sync", arguments: [false, true]) func durable(isSealed: Bool) throws {
      let bench = try Bench(isSealed: isSealed, durability: .powerLoss)
      for number in 0..<20 { try bench.log.set(7, forKey: "n\(number)") }
      #expect(bench.calls.callCount(.synchronizeData) == 20 && bench.calls.callCount(.synchronize) == 0)
      #expect(bench.calls.callCount(.write) == 20, "\(bench.calls.callCounts)")
      #expect(bench.calls.callCount(.lock) == 20 && bench.calls.callCount(.unlock) == 20)
    }

    @Test("A removal of what isn't there, and a refused exchange, write nothing") func nothing() throws {
      let bench = try Bench(isSealed: false)
      let before = try bench.log.statistics().fileByteCount
      bench.calls.resetCounts()
      #expect(try !bench.log.removeValue(forKey: "none") && !bench.log.compareAndSet("n1", expected: 99, to: 1))
      try bench.log.update { _ in }
      #expect(bench.calls.callCount(.write) == 0)
      #expect(try bench.log.statistics().fileByteCount == before)
    }

    @Test("Opening, and getting one key, costs the same whatever is in the log", arguments: [false, true])
    func opening(isSealed: Bool) throws {
      let directory = TemporaryDirectory()
      let options = LogOptions(key: isSealed ? .random() : nil)
      var counts: [Int] = []
      for count in [100, 20_000] {
        let path = directory.path(of: "\(count).kvlog")
        let log = try KeyValueLog(path: path, options: options)
        for start in stride(from: 0, to: count, by: 100) {
          try log.update { batch in for number in start..<start + 100 { batch.set(number, forKey: "n\(number)") } }
        }
        try log.compact()
        log.close()
        let calls = CountingCalls()
        let fresh = try KeyValueLog(path: path, options: options, system: calls)
        #expect(try fresh.int(forKey: "n50") == 50)
        counts.append(calls.totalCallCount)
      }
      #expect(counts[0] == counts[1] && counts[0] < 20, "\(counts)")
    }
  }
#endif
