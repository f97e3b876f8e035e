#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport

  /// A log prepared for one operation, and what has to hold after it whatever it met.
  final class LogFaultScene {
    enum Operation: CaseIterable {
      case create, open, openOtherBoot, openReadOnly
      case setFirst, setSecond, setGrowing, setIndexing, setCompacting, setReplaced, remove, update, compareAndSet, removeAll
      case get, getReplaced, forEach, count, statistics, verify
      case synchronize, compact, compactIndexing, rekey, backup, backupOver, restore, restoreNew, listen, resume
    }

    static let path = "/place/a.kvlog"
    private static let copy = "/place/copy.kvlog"
    let kernel: CrashKernel
    private let operation: Operation
    private let process: KernelProcess
    private let options: LogOptions
    private let newKey = EncryptionKey.random()
    private var log: KeyValueLog?
    private typealias State = [String: Int]
    /// What was there before, and what has to be there after success.
    private var before: State = [:]
    private var after: State = [:]

    init(_ operation: Operation, _ kind: FileSystemKind, isSealed: Bool, isDurable: Bool) throws {
      self.operation = operation
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      kernel = CrashKernel(settings)
      process = kernel.process()
      var options = LogOptions(key: isSealed ? .random() : nil)
      options.durability = isDurable ? .powerLoss : .processCrash
      self.options = options
      if operation != .create { try prepare() }
      if after.isEmpty { after = before }
    }

    private func open(_ system: SystemCalls) throws -> KeyValueLog {
      var options = options
      if operation == .openReadOnly, system === process { options.access = .readOnly }
      return try KeyValueLog(path: Self.path, options: options, system: system)
    }

    private func fill(_ log: KeyValueLog, _ names: [String], _ value: Int = 1) throws {
      for name in names {
        try log.set(value, forKey: name)
        before[name] = value
      }
    }

    private func prepare() throws {
      let other = try open(kernel)
      try fill(other, ["a", "b", "c"])
      try fill(other, ["a"], 2)
      switch operation {
      case .open, .openReadOnly: return
      case .openOtherBoot:
        kernel.settings.bootIdentity += 1
        return
      case .restoreNew:
        try other.backup(to: Self.copy)
        other.close()
        _ = kernel.unlink(Self.path)
        return
      default: break
      }
      log = try open(process)
      switch operation {
      case .setSecond, .synchronize: try fill(log!, ["own"])
      case .setGrowing: try log?.set([UInt8](repeating: 1, count: 54_000), forKey: "filler")
      case .setIndexing, .compactIndexing:
        // One more than it takes without an index.
        let count = options.key == nil ? 4_096 : 1_024
        for start in stride(from: 0, to: count - 5, by: 1_000) {
          try other.update { batch in for number in start..<min(start + 1_000, count - 5) { batch.set(1, forKey: "n\(number)") } }
        }
        for number in 0..<count - 5 { before["n\(number)"] = 1 }
      case .setCompacting:
        for _ in 0..<3 { try other.set([UInt8](repeating: 1, count: 90_000), forKey: "filler") }
        try other.removeValue(forKey: "filler")
      case .setReplaced, .getReplaced: try other.compact()
      case .backupOver: try other.backup(to: Self.copy)
      case .restore:
        try other.backup(to: Self.copy)
        after = before
        try fill(other, ["a", "z"], 3)
      case .resume: log?.suspend()
      default: break
      }
    }

    func run() throws {
      switch operation {
      case .create, .open, .openOtherBoot:
        log = try open(process)
        if operation != .open { try set("new", 5) }
      case .openReadOnly: _ = try open(process).count
      case .setFirst, .setSecond, .setReplaced, .setCompacting: try set("new", 5)
      case .setGrowing: for number in 0..<4 { try set("new \(number)", 5, byteCount: 3_000) }
      case .setIndexing: for number in 0..<4 { try set("new \(number)", 5) }
      case .remove:
        after["b"] = nil
        try log?.removeValue(forKey: "b")
      case .update:
        after["a"] = 7
        after["b"] = nil
        after["new"] = 7
        try log?.update { batch in
          batch.set(7, forKey: "a")
          batch.removeValue(forKey: "b")
          batch.set(7, forKey: "new")
        }
      case .compareAndSet:
        after["a"] = 8
        try log?.compareAndSet("a", expected: 2, to: 8)
      case .removeAll:
        after = [:]
        try log?.removeAll()
      case .get, .getReplaced: if try log?.int(forKey: "a") != 2 { throw LogError.closed }
      case .forEach: try log?.forEach { _ in }
      case .count: _ = try log?.count
      case .statistics: _ = try log?.statistics()
      case .verify: if try log?.verify().isEmpty != true { throw LogError.closed }
      case .synchronize: try log?.synchronize()
      case .compact, .compactIndexing: try log?.compact()
      case .rekey: try log?.rekey(to: newKey)
      case .backup, .backupOver: try log?.backup(to: Self.copy)
      case .restore, .restoreNew: try KeyValueLog.restore(from: Self.copy, to: Self.path, system: process)
      case .listen: _ = try log?.listen(since: 0)
      case .resume:
        try log?.resume()
        _ = try log?.contains("a")
      }
    }

    private func set(_ name: String, _ value: Int, byteCount: Int = 8) throws {
      after[name] = value
      try log?.set(value, forKey: name)
      if byteCount > 8 { try log?.set([UInt8](repeating: 3, count: byteCount), forKey: "filler") }
    }

    /// - Parameter failure: what the operation threw.
    func problems(after failure: LogError?) throws -> [String] {
      var found: [String] = []
      if operation == .restoreNew, failure != nil {
        try KeyValueLog.restore(from: Self.copy, to: Self.path, system: process)
      }
      // The same handle goes on, or says why it doesn't and a new one does.
      let fresh: () throws -> KeyValueLog = { [self] in
        do { return try open(kernel) } catch {
          guard operation == .rekey,
            error as? LogError == .wrongKey || error as? LogError == .keyRequired || error as? LogError == .keyNotExpected
          else { throw error }
          return try KeyValueLog(path: Self.path, options: LogOptions(key: newKey), system: kernel)
        }
      }
      if log?.isReadOnly != true, operation != .openReadOnly {
        do { try (log ?? fresh()).set(9, forKey: "later") } catch {
          let refused = error as? LogError
          guard failure != nil, refused == .failedEarlier || refused == .suspended else { throw error }
          // An unlock that failed, too, leaves the lock to the handle.
          log?.close()
          try fresh().set(9, forKey: "later")
        }
      }
      log?.close()
      log = nil
      if process.descriptorCount != 0 { found.append("\(process.descriptorCount) descriptors are open") }
      if kernel.isLocked(Self.path) { found.append("locked") }

      let last = try fresh()
      var state: State = [:]
      try last.forEach { entry in if entry.type == .int { state[entry.key] = try entry.value(Int.self) } }
      if operation != .openReadOnly, state.removeValue(forKey: "later") != 9 { found.append("what came later isn't there") }
      if failure == nil, state != after { found.append("after success \(state.count) of \(after.count)") }
      if failure != nil, !isPossible(state) { found.append("after an error \(Self.difference(state, before))") }
      if try !last.verify().isEmpty { found.append("damage: \(try last.verify())") }
      try last.compact()
      last.close()
      let left = kernel.names("/place").filter { $0.hasPrefix(".tmp-") }
      if !left.isEmpty { found.append("left: \(left)") }
      return found
    }

    /// A refused call left everything as it was, or did all it should. Of several calls the first ones may have been done.
    private func isPossible(_ state: State) -> Bool {
      if state == before || state == after { return true }
      guard [.setGrowing, .setIndexing].contains(operation) else { return false }
      var partial = before
      for number in 0..<4 {
        partial["new \(number)"] = 5
        if state == partial { return true }
      }
      return false
    }
    private static func difference(_ a: State, _ b: State) -> [String] {
      Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted()
    }
  }
#endif
