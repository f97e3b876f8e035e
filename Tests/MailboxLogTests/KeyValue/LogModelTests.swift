import MailboxLog
import StorageIO
import TestSupport
import Testing

/// Random operations of several handles on one log, against a dictionary.
@Suite struct LogModelTests {
  private struct Run {
    let directory = TemporaryDirectory()
    var random: SplitMix64
    let key: EncryptionKey?
    var logs: [KeyValueLog] = []
    var model: [String: (type: LogValueType, bytes: [UInt8])] = [:]
    let keyCount: Int
    let process: () -> SystemCalls
    let path: String

    /// - Parameter kernel: makes another of its processes; nil is the real one.
    init(
      seed: UInt64, isSealed: Bool, keyCount: Int, on kernel: (() -> SystemCalls)? = nil
    ) throws {
      process = kernel ?? { .live }
      path = kernel == nil ? directory.path(of: "a.kvlog") : "/place/a.kvlog"
      random = SplitMix64(seed: seed)
      key = isSealed ? EncryptionKey.random() : nil
      self.keyCount = keyCount
      for _ in 0..<3 { logs.append(try open()) }
    }

    func open() throws(LogError) -> KeyValueLog {
      var options = LogOptions(key: key)
      options.logHandler = { if $0.kind == .damageFound { Issue.record("\($0.message)") } }
      return try KeyValueLog(path: path, options: options, system: process())
    }

    mutating func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    mutating func name() -> String { "key-\(number(keyCount))" }
    mutating func value() -> [UInt8] {
      [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: number(20) == 0 ? number(6_000) : number(120))
    }
    var log: KeyValueLog {
      mutating get { logs[number(logs.count)] }
    }

    mutating func step() throws {
      switch number(100) {
      case 0..<45:
        let (name, value) = (name(), value())
        try log.set(value, forKey: name)
        model[name] = (.bytes, value)
      case 45..<55:
        let (name, value) = (name(), number(1_000))
        try log.set(value, forKey: name)
        model[name] = (.int, (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
      case 55..<65:
        let name = name()
        #expect(try log.removeValue(forKey: name) == (model.removeValue(forKey: name) != nil))
      case 65..<72:
        let changes = (0..<number(6) + 1).map { _ in (name: name(), value: number(4) == 0 ? nil : value()) }
        try log.update { batch in
          for change in changes {
            if let value = change.value { batch.set(value, forKey: change.name) } else { batch.removeValue(forKey: change.name) }
          }
        }
        for change in changes { model[change.name] = change.value.map { (.bytes, $0) } }
      case 72..<80:
        let name = name()
        let expected: [UInt8]? = number(2) == 0 ? model[name]?.bytes : value()
        let new: [UInt8]? = number(4) == 0 ? nil : value()
        let fits = expected == model[name]?.bytes && (model[name].map { $0.type == .bytes } ?? true)
        #expect(try log.compareAndSet(name, expected: expected, to: new) == fits)
        if fits { model[name] = new.map { (.bytes, $0) } }
      case 80:
        if number(20) == 0 {
          try log.removeAll()
          model = [:]
        }
      case 81: if number(4) == 0 { try log.compact() }
      case 82:
        let index = number(logs.count)
        logs[index].close()
        logs[index] = try open()
      case 83:
        let log = log
        log.suspend()
        #expect(throws: LogError.suspended) { try log.contains("a") }
        try log.resume()
      case 84..<86: try checkAll()
      default: try check(name())
      }
    }

    mutating func check(_ name: String) throws {
      let log = log
      let stored = try log.withBytes(forKey: name) { span in (0..<span.count).map { span[$0] } }
      #expect(stored == model[name]?.bytes)
      #expect(try log.type(forKey: name) == model[name]?.type)
    }

    mutating func checkAll() throws {
      let log = log
      var found: [String: [UInt8]] = [:]
      try log.forEach { entry in #expect(found.updateValue(entry.bytes, forKey: entry.key) == nil) }
      #expect(found == model.mapValues(\.bytes))
      #expect(try log.count == model.count)
      #expect(try log.verify().isEmpty)
    }
  }

  @Test(arguments: [false, true], [40, 3_000]) func agreesWithADictionary(isSealed: Bool, keyCount: Int) throws {
    var run = try Run(seed: UInt64(keyCount), isSealed: isSealed, keyCount: keyCount)
    for _ in 0..<(LogUnderTest.isLong ? 250_000 : keyCount < 100 ? 4_000 : 2_500) { try run.step() }
    try run.checkAll()
    for log in run.logs {
      let statistics = try log.statistics()
      #expect(statistics.keyCount == run.model.count)
      #expect(statistics.fileByteCount <= 4 * statistics.liveByteCount + 700 << 10)
    }
    #expect(litter(in: run.directory.path).isEmpty)
  }

  #if DEBUG
    @Test("Whatever the granularity of mappings, and whether overwriting may allocate", arguments: [4, 16, 64], [false, true])
    func granularities(pageKiB: Int, isSealed: Bool) throws {
      for kind in [FileSystemKind.overwritesInPlace, .mayAllocateAgain] {
        var settings = KernelSettings()
        settings.pageByteCount = pageKiB << 10
        settings.fileSystemKind = kind
        let kernel = CrashKernel(settings)
        var run = try Run(seed: UInt64(pageKiB), isSealed: isSealed, keyCount: 40, on: { kernel.process() })
        for _ in 0..<(LogUnderTest.isLong ? 20_000 : 500) { try run.step() }
        try run.checkAll()
        for log in run.logs { log.close() }
        #expect(kernel.names("/place") == ["a.kvlog"])
      }
    }
  #endif

  @Test("A newcomer finds keys through the index", arguments: [false, true]) func index(isSealed: Bool) throws {
    var run = try Run(seed: 3, isSealed: isSealed, keyCount: 1)
    let count = 9_000
    for number in 0..<count {
      try run.logs[0].set(number, forKey: "n\(number)")
      if number % 3 == 0 { try run.logs[0].set(-number, forKey: "n\(number / 2)") }
    }
    let fresh = try run.open()
    for number in stride(from: 0, to: count, by: 7) {
      #expect(try fresh.int(forKey: "n\(number)") == run.logs[0].int(forKey: "n\(number)"))
    }
    #expect(try fresh.int(forKey: "n\(count)") == nil)
    #expect(try fresh.count == count)
    try fresh.compact()
    let compacted = try run.open()
    #expect(try compacted.count == count)
    for number in stride(from: 0, to: count, by: 11) {
      #expect(try compacted.int(forKey: "n\(number)") == run.logs[0].int(forKey: "n\(number)"))
    }
    run.logs = []
  }
}
