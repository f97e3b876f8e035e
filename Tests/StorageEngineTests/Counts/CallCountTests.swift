#if DEBUG
  import RawMemory
  import Sealing
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// What the engine makes the kernel do. Times depend on the machine; these counts don't, and grow only on purpose.
  @Suite struct CallCountTests {
    private static let value = [UInt8](repeating: 7, count: 200)

    private static func options(isSealed: Bool) -> EngineOptions {
      var options = EngineOptions()
      if isSealed { options.key = .secret(SecretBytes(copying: [UInt8](0..<32).span)) }
      return options
    }

    /// 16 digits, one to one.
    private static func key(_ number: Int) -> [UInt8] {
      let digits = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
      return Array((String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8)
    }

    private static func put(_ numbers: Range<Int>, in engine: Engine, _ durability: EngineDurability) throws {
      let transaction = try engine.begin()
      for number in numbers { _ = try transaction.put(key(number).span.raw, value.span.raw, in: "entries") }
      _ = try transaction.commit(durability)
    }

    @Test(arguments: [false, true])
    func oneEntryDurably(isSealed: Bool) throws {
      let directory = TemporaryDirectory()
      let calls = CountingCalls()
      let engine = try Engine.open(
        path: directory.path(of: "counts.store"), options: Self.options(isSealed: isSealed), system: calls)
      // Three levels, as a hundred thousand entries have.
      try Self.put(0..<8_000, in: engine, .powerLoss)
      for number in 8_000..<8_004 { try Self.put(number..<number + 1, in: engine, .powerLoss) }
      var written: [Int] = []
      for number in 8_004..<8_024 {
        calls.resetCounts()
        try Self.put(number..<number + 1, in: engine, .powerLoss)
        #expect(calls.callCount(.synchronizeData) == 1)
        #expect(calls.callCount(.synchronize) == 0)
        #expect(calls.callCount(.lock) == 1 && calls.callCount(.unlock) == 1)
        #expect(calls.callCount(.write) <= 8)
        #expect(calls.callCount(.map) == 0 && calls.callCount(.truncate) == 0)
        written.append(calls.bytesWritten)
      }
      written.sort()
      #expect(written[written.count / 2] <= 28 << 10, "\(written)")
      // A page that is split, and the next step of the file's growth.
      #expect(written[written.count - 1] <= 44 << 10, "\(written)")
    }

    @Test(arguments: [false, true])
    func aSnapshot(isSealed: Bool) throws {
      let directory = TemporaryDirectory()
      let calls = CountingCalls()
      let engine = try Engine.open(
        path: directory.path(of: "counts.store"), options: Self.options(isSealed: isSealed), system: calls)
      try Self.put(0..<100, in: engine, .powerLoss)
      _ = try engine.snapshot()
      calls.resetCounts()
      for _ in 0..<100 { _ = try engine.snapshot() }
      let held = try engine.snapshot()
      for _ in 0..<100 { #expect(try engine.snapshot().version == held.version) }
      #expect(calls.totalCallCount == 0, "\(calls.callCounts)")
    }

    /// However large the file is, and whatever the last writer left behind.
    @Test(arguments: [false, true])
    func opening(isSealed: Bool) throws {
      let directory = TemporaryDirectory()
      let calls = CountingCalls()
      let options = Self.options(isSealed: isSealed)
      var counts: [[SystemCall: Int]] = []
      for (name, count) in [("small", 500), ("large", 8_000)] {
        let path = directory.path(of: name)
        do {
          let engine = try Engine.open(path: path, options: options, system: calls)
          try Self.put(0..<count, in: engine, .powerLoss)
          try Self.put(count..<count + 1, in: engine, .powerLoss)
        }
        calls.resetCounts()
        withExtendedLifetime(try Engine.open(path: path, options: options, system: calls)) {
          counts.append(calls.callCounts)
        }
      }
      #expect(counts[0] == counts[1])
      #expect(counts[1].values.reduce(0, +) <= 24, "\(counts[1])")
      #expect(counts[1][.synchronizeData] == nil && counts[1][.synchronize] == nil && counts[1][.write] == nil)
    }
  }
#endif
