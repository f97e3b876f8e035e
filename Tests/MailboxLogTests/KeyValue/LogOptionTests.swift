#if DEBUG
  import Foundation
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// What options and events of a log do: access, waiting, metrics, room.
  @Suite struct LogOptionTests {
    private static let path = "/place/a.kvlog"

    private final class Told: @unchecked Sendable {
      private let lock = NSLock()
      private var events: [LogEvent.Kind] = []
      private var metrics: [LogMetric] = []
      func add(_ event: LogEvent) { lock.withLock { events.append(event.kind) } }
      func add(_ metric: LogMetric) { lock.withLock { metrics.append(metric) } }
      var kinds: [LogEvent.Kind] { lock.withLock { events } }
      var all: [LogMetric] { lock.withLock { metrics } }
    }

    private func open(_ system: SystemCalls, _ change: (inout LogOptions) -> Void = { _ in }) throws -> KeyValueLog {
      var options = LogOptions()
      change(&options)
      return try KeyValueLog(path: Self.path, options: options, system: system)
    }

    @Test("B069: reading only, a log is opened, read and followed without a trace") func b069() throws {
      let kernel = CrashKernel()
      #expect(throws: LogError.notFound(path: "/place")) { _ = try open(kernel.process()) { $0.access = .readOnly } }
      #expect(kernel.names("/place").isEmpty)
      let writer = try open(kernel.process())
      for number in 0..<50 { try writer.set(number, forKey: "n\(number)") }
      let before = kernel.contents(Self.path)
      kernel.isReadOnly = true
      kernel.resetCounts()
      let reader = try open(kernel.process()) { $0.access = .readOnly }
      #expect(try reader.int(forKey: "n7") == 7 && reader.count == 50 && reader.verify().isEmpty)
      let calls: [() throws -> Void] = [
        { try reader.set(1, forKey: "a") }, { try reader.removeValue(forKey: "n1") }, { try reader.removeAll() },
        { try reader.update { $0.set(1, forKey: "a") } }, { try reader.compact() }, { try reader.synchronize() },
        { try reader.rekey(to: .random()) }, { _ = try reader.compareAndSet("n1", expected: 1, to: 2) },
      ]
      for call in calls { #expect(throws: LogError.readOnly) { try call() } }
      for call in [SystemCall.write, .lock, .allocate, .truncate, .link, .rename, .unlink, .makeDirectory] {
        #expect(kernel.callCount(call) == 0, "\(call)")
      }
      #expect(kernel.contents(Self.path) == before && kernel.names("/place") == ["a.kvlog"])
      // Turned read-only under an open handle, and back.
      #expect(throws: LogError.self) {
        for number in 0..<2_000 { try writer.set(String(repeating: "x", count: 900), forKey: "\(number)") }
      }
      kernel.isReadOnly = false
      try writer.set("later", forKey: "later")
      #expect(try reader.string(forKey: "later") == "later")
    }

    @Test("A lock that others hold is waited for, told of, and given up on") func waiting() throws {
      let kernel = CrashKernel()
      let told = Told()
      let log = try open(kernel.process()) { options in
        options.lockTimeout = .milliseconds(20)
        options.logHandler = { told.add($0) }
        options.metricsHandler = { told.add($0) }
      }
      try log.set(1, forKey: "a")
      #expect(try log.statistics().lockWaitMax == .zero)
      let other = kernel.process()
      let holder = try StorageFile(other, path: Self.path, flags: OpenFlag.readWrite, isLockable: true)
      #expect(try holder.tryLock())
      var failure: LogError?
      do { try log.set(2, forKey: "a") } catch { failure = error }
      guard case .busy(let waited) = failure else { throw failure ?? .closed }
      #expect(waited >= .milliseconds(20))
      #expect(try log.int(forKey: "a") == 1)
      holder.unlock()
      try log.set(3, forKey: "a")
      let statistics = try log.statistics()
      #expect(statistics.lockWaitMax >= .milliseconds(20))
      #expect(told.kinds == [.lockWaited])
      #expect(told.all.filter { $0.operation == .append }.map(\.succeeded) == [true, false, true])
    }

    @Test("Every kind of operation has its metric, with the bytes that it wrote") func metrics() throws {
      let kernel = CrashKernel()
      let told = Told()
      let log = try open(kernel.process()) { $0.metricsHandler = { told.add($0) } }
      try log.set("Ada", forKey: "name")
      _ = try log.string(forKey: "name")
      _ = try log.contains("name")
      try log.update { $0.removeValue(forKey: "name") }
      try log.synchronize()
      try log.compact()
      #expect(throws: LogError.invalidKey) { try log.set(1, forKey: "") }
      #expect(told.all.map(\.operation) == [.open, .append, .read, .read, .append, .synchronize, .compact])
      #expect(told.all.filter { $0.operation == .append }.map(\.byteCount) == [128, 128])
      #expect(told.all.filter { !$0.succeeded }.isEmpty)
    }

    @Test("Full, a log refuses and stays as it is, or drops its oldest and says so") func room() throws {
      let kernel = CrashKernel()
      let told = Told()
      func fill(_ overflow: LogOverflowPolicy, _ label: String) throws {
        let log = try open(kernel.process()) { options in
          options.capacity = 256 << 10
          options.overflow = overflow
          options.logHandler = { told.add($0) }
        }
        for number in 0..<60 { try log.set([UInt8](repeating: 1, count: 9_000), forKey: "\(label)\(number)") }
      }
      #expect(throws: LogError.full(capacity: 256 << 10)) { try fill(.reject, "a") }
      let log = try open(kernel.process())
      let count = try log.count
      #expect(count > 15 && count < 30)
      for number in 0..<count { #expect(try log.contains("a\(number)")) }
      #expect(!told.kinds.contains(.oldestDropped))
      try fill(.dropOldest, "b")
      #expect(told.kinds.contains(.oldestDropped))
      #expect(try log.contains("b59") && !log.contains("a0"))
      #expect(try log.statistics().fileByteCount <= 256 << 10)
    }

    @Test("Damage and a recovery are told") func recovery() throws {
      let kernel = CrashKernel()
      let told = Told()
      try open(kernel.process()).set(1, forKey: "a")
      kernel.alter(Self.path) { $0[4352] ^= 1 }
      let log = try open(kernel.process()) { $0.logHandler = { told.add($0) } }
      #expect(try log.int(forKey: "a") == 1)
      #expect(told.kinds == [.damageFound])
      try log.set(2, forKey: "b")
      #expect(told.kinds.contains(.recovered))
      #expect(try open(kernel.process()).keys().sorted() == ["a", "b"])
      #expect(throws: LogError.self) {
        kernel.alter(Self.path) { $0[8192 + 130] ^= 1 }
        _ = try open(kernel.process()) { $0.recovery = .fail }
      }
    }
  }
#endif
