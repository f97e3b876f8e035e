#if DEBUG
  import RawMemory
  import StorageIO
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Another file, or another lock file, under the path of a store that is known here.
  @Suite struct StrangerTests {
    private static let path = CrashScene.path

    private func open(_ system: SystemCalls, isSealed: Bool = false) throws(EngineError) -> Engine {
      try Engine.open(path: Self.path, options: CrashScene.options(isSealed: isSealed), system: system)
    }
    private func machine(_ seed: UInt64) -> CrashKernel {
      var settings = KernelSettings()
      settings.seed = seed
      settings.bootIdentity += seed
      let kernel = CrashKernel(settings)
      kernel.putDirectory("/d")
      return kernel
    }
    private func commit(_ engine: Engine, _ number: Int) throws(EngineError) {
      try engine.write { transaction throws(EngineError) in try transaction.put("n", [UInt8(truncatingIfNeeded: number)]) }
    }

    /// A store goes to another machine, is written to there, and comes back under a lock file that remembers what it was.
    @Test("A file that another machine wrote to", arguments: [1, 2, 20], [true, false]) func copiedBack(count: Int, isInPlace: Bool)
      throws
    {
      let (here, elsewhere) = (machine(1), machine(2))
      var engine: Engine? = try open(here)
      for number in 0..<5 { try commit(engine!, number) }
      engine = nil
      elsewhere.put(Self.path, here.contents(Self.path)!)
      var other: Engine? = try open(elsewhere)
      for number in 1...count { try commit(other!, 100 + number) }
      // Ids that no meta page shows: of transactions that were given up.
      var last: TransactionID = 0
      for _ in 0..<9 {
        let transaction = try other!.begin()
        last = transaction.id
        transaction.abort()
      }
      other = nil
      let bytes = elsewhere.contents(Self.path)!
      if isInPlace { here.alter(Self.path) { $0 = bytes } } else { here.put(Self.path, bytes) }

      let back = try open(here)
      #expect(try back.value("n") == [UInt8(100 + count)])
      let transaction = try back.begin()
      #expect(transaction.id > last, "\(transaction.id) after \(last)")
      transaction.abort()
      try commit(back, 77)
      #expect(try open(here.process()).value("n") == [77])
      #expect(try back.snapshot().verify().isClean)
    }

    /// An older copy comes back: what it says counts, and its ids don't come again.
    @Test func backupPutBack() throws {
      let kernel = machine(1)
      var engine: Engine? = try open(kernel)
      try commit(engine!, 1)
      let backup = kernel.contents(Self.path)!
      for number in 2..<9 { try commit(engine!, number) }
      let last = try engine!.snapshot().version
      engine = nil
      kernel.put(Self.path, backup)
      let back = try open(kernel)
      #expect(try back.value("n") == [1])
      try commit(back, 50)
      #expect(try back.snapshot().version > last && back.value("n") == [50])
    }

    private func isReplaced(_ body: () throws(EngineError) -> Void) -> Bool {
      do throws(EngineError) { try body() } catch {
        if case .storeReplaced = error { return true }
      }
      return false
    }

    @Test("The lock file is removed under an open store", arguments: [false, true]) func lockFileRemoved(isSealed: Bool) throws {
      let kernel = machine(1)
      let process = kernel.process()
      let old = try open(process, isSealed: isSealed)
      try commit(old, 1)
      let held = try old.snapshot()
      #expect(kernel.unlink(Self.path + ".lock") == 0)
      // Also before there is another one.
      #expect(isReplaced { () throws(EngineError) in try commit(old, 2) })
      let new = try open(kernel.process(), isSealed: isSealed)
      try commit(new, 3)
      #expect(isReplaced { () throws(EngineError) in try commit(old, 4) })
      withExtendedLifetime(held) {}
      // Opened anew, it is another writer of the same store.
      let again = try open(process, isSealed: isSealed)
      #expect(again !== old)
      #expect(try again.value("n") == [3])
      try commit(again, 5)
      #expect(try new.value("n") == [5])
      #expect(try new.snapshot().verify().isClean)
    }

    /// A transaction is under way when the lock file goes: who makes another one waits for it, and goes on from what it committed.
    @Test func lockFileRemovedInATransaction() throws {
      let kernel = machine(1)
      let old = try open(kernel.process())
      try commit(old, 1)
      let transaction = try old.begin()
      try transaction.put("n", [2])
      #expect(kernel.unlink(Self.path + ".lock") == 0)
      do throws(EngineError) {
        _ = try open(kernel.process())
        Issue.record("opened beside a writer that it doesn't know of")
      } catch {
        if case .busy = error {} else { Issue.record("\(error)") }
      }
      let waiting = kernel.process()
      var rounds = 0
      waiting.onTryLock = {
        rounds += 1
        if rounds == 3 { _ = try? transaction.commit() }
      }
      let new = try open(waiting)
      #expect(rounds >= 3)
      #expect(try new.value("n") == [2])
      try commit(new, 3)
      #expect(isReplaced { () throws(EngineError) in try commit(old, 4) })
      #expect(try new.value("n") == [3])
    }

    @Test func dataFileReplaced() throws {
      let kernel = machine(1)
      let process = kernel.process()
      let old = try open(process)
      try commit(old, 1)
      kernel.put(Self.path, kernel.contents(Self.path)!)
      #expect(isReplaced { () throws(EngineError) in try commit(old, 2) })
      let again = try open(process)
      try commit(again, 3)
      #expect(isReplaced { () throws(EngineError) in try commit(old, 4) })
      #expect(try open(kernel.process()).value("n") == [3])
    }

    /// Two processes count together while a third removes their lock file again and again: no count is lost.
    @Test func counting() throws {
      let kernel = machine(1)
      let processes = [kernel.process(), kernel.process()]
      var engines = try processes.map { process throws(EngineError) in try open(process) }
      var random = SplitMix64(seed: 7)
      var (committed, refused) = (0, 0)
      for _ in 0..<(isLongRun ? 5000 : 400) {
        if Int.random(in: 0..<6, using: &random) == 0 { _ = kernel.unlink(Self.path + ".lock") }
        let index = Int.random(in: 0..<2, using: &random)
        do throws(EngineError) {
          try engines[index].write([.powerLoss, .ordered].randomElement(using: &random)!) { transaction throws(EngineError) in
            let old = try transaction.tree("t")?.value(forKey: Array("n".utf8).span.raw) ?? [0, 0]
            let next = Int(old[0]) << 8 + Int(old[1]) + 1
            try transaction.put("n", [UInt8(next >> 8), UInt8(next & 255)])
          }
          committed += 1
        } catch {
          guard case .storeReplaced = error else { throw error }
          refused += 1
          engines[index] = try open(processes[index])
        }
      }
      let found = try open(kernel.process()).value("n")!
      #expect(Int(found[0]) << 8 + Int(found[1]) == committed)
      #expect(refused > 20)
      #expect(try open(kernel.process()).snapshot().verify().isClean)
    }
  }
#endif
