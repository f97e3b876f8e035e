#if DEBUG
  import RawMemory
  import Sealing
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// A run on a test kernel whose every event is recorded, and what each version of it holds.
  ///
  /// Each commit that is tried has a number, which the version itself says too: so a version that is found is compared with the one that it
  /// says it is. The history has marks where a commit was tried and where it had become durable.
  final class CrashScene {
    static let path = "/d/a.store"
    let kernel: CrashKernel
    var options: EngineOptions
    var random: SplitMix64
    /// By number; 0 is the empty store.
    private(set) var versions: [Int: Contents] = [0: [:]]
    private(set) var contents: Contents = [:]
    private(set) var number = 0
    private(set) var durableNumber = 0
    var keyCount = 60

    init(pageByteCount: Int = 512, isSealed: Bool, seed: UInt64 = 1) {
      options = Self.options(pageByteCount: pageByteCount, isSealed: isSealed)
      random = SplitMix64(seed: seed)
      var settings = KernelSettings()
      settings.seed = seed
      kernel = CrashKernel(settings)
      kernel.putDirectory("/d")
      kernel.startRecording()
    }

    static func options(pageByteCount: Int = 512, isSealed: Bool) -> EngineOptions {
      var options = EngineOptions()
      options.pageByteCount = pageByteCount
      options.mapsPages = false
      options.pageCacheByteCountMax = 64 * pageByteCount
      if isSealed { options.key = .secret(key) }
      return options
    }
    static let key = SecretBytes.random(count: 32)

    func open(_ system: SystemCalls? = nil) throws(EngineError) -> Engine {
      try Engine.open(path: Self.path, options: options, system: system ?? kernel)
    }

    /// Changes some keys in a transaction, and in a copy of what is there.
    func change(_ transaction: EngineWriter, _ count: Int, _ contents: inout Contents) throws(EngineError) {
      for _ in 0..<count {
        let key = Array("key \(Int.random(in: 0..<keyCount, using: &random))".utf8)
        if Int.random(in: 0..<4, using: &random) == 0 {
          try transaction.delete(key.span.raw, in: "t")
          contents[key] = nil
        } else {
          let lengths = [0, 8, 40, 90, 90, 90, options.pageByteCount * 2 + 60]
          let value = patterned(lengths.randomElement(using: &random)!, Int.random(in: 0..<256, using: &random))
          try transaction.put(key.span.raw, value.span.raw, in: "t")
          contents[key] = value
        }
      }
    }

    /// One commit of a few changes, noted before and after. - Returns: its number.
    @discardableResult
    func commit(_ engine: Engine, _ durability: EngineDurability, changes: Int? = nil) throws(EngineError) -> Int {
      number += 1
      var next = contents
      let transaction = try engine.begin()
      do throws(EngineError) {
        let count = changes ?? Int.random(in: 1...6, using: &random)
        try change(transaction, count, &next)
        next[Array("n".utf8)] = Array("\(number)".utf8)
        try transaction.put("n", Array("\(number)".utf8))
        versions[number] = next
        kernel.mark("tried \(number)")
        _ = try transaction.commit(durability)
      } catch {
        transaction.abort()
        throw error
      }
      contents = next
      if durability == .powerLoss { noteDurable() }
      return number
    }
    /// What was committed last survives a loss of power from here on.
    func noteDurable() {
      durableNumber = number
      kernel.mark("durable \(number)")
    }

    /// Changes that are given up.
    func abort(_ engine: Engine, changes: Int) throws(EngineError) {
      let transaction = try engine.begin()
      defer { transaction.abort() }
      var next = contents
      try change(transaction, changes, &next)
    }

    /// Whether an engine holds a version that was tried, in all its parts. - Returns: its number.
    @discardableResult
    func check(_ engine: Engine, from floor: Int, through ceiling: Int, verifies: Bool = true, _ place: @autoclosure () -> String)
      throws
      -> Int
    {
      let snapshot = try engine.snapshot()
      let found = try snapshot.tree("t")?.contents() ?? [:]
      let number = found[Array("n".utf8)].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      if number < floor || number > ceiling { Issue.record("version \(number) and not \(floor)...\(ceiling), \(place())") }
      if versions[number] != found { Issue.record("version \(number) isn't what was written, \(place())") }
      if verifies {
        let report = try snapshot.verify()
        if !report.isClean { Issue.record("\(report.problems.prefix(3)), \(place())") }
      }
      return number
    }
  }
#endif
