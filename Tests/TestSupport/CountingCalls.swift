#if DEBUG
  import Foundation
  @testable package import RawMemory
  @testable package import StorageIO

  /// The real system calls, counted, of which a chosen one fails without being made.
  package class CountingCalls: SystemCalls, @unchecked Sendable {
    private let lock = NSLock()
    private var plan = FaultPlan()

    package override init() { super.init() }

    /// Lets a call fail. - Parameters: as for `CrashKernel.fail`.
    package func fail(_ call: SystemCall? = nil, at ordinal: Int = 1, with code: Int32, isPermanent: Bool = false) {
      precondition(ordinal >= 1)
      lock.withLock { plan.failures.append(.init(call: call, countdown: ordinal, code: code, isPermanent: isPermanent)) }
    }
    package func clearFailures() { lock.withLock { plan.failures = [] } }

    package func callCount(_ call: SystemCall) -> Int { lock.withLock { plan.callCounts[call] ?? 0 } }
    package var callCounts: [SystemCall: Int] { lock.withLock { plan.callCounts } }
    package var totalCallCount: Int { lock.withLock { plan.callCounts.values.reduce(0, +) } }
    /// Bytes that `pwrite` took.
    package var bytesWritten: Int { lock.withLock { plan.bytesWritten } }
    package func resetCounts() { lock.withLock { plan.resetCounts() } }

    private func call(_ call: SystemCall, _ body: () -> Int) -> Int {
      if let code = lock.withLock({ plan.admit(call) }) { return -Int(code) }
      return body()
    }

    package override func open(_ path: String, flags: Int32, mode: UInt32) -> Int {
      call(.open) { super.open(path, flags: flags, mode: mode) }
    }
    package override func openQuietly(_ path: String, flags: Int32) -> Int {
      call(.open) { super.openQuietly(path, flags: flags) }
    }
    package override func close(_ descriptor: Int32) -> Int {
      // Made also when it is to fail: on Linux the descriptor is gone either way.
      let result = super.close(descriptor)
      return call(.close) { result }
    }
    package override func read(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
      call(.read) { super.read(descriptor, buffer, range, at: offset) }
    }
    package override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
      let result = call(.write) { super.write(descriptor, buffer, range, at: offset) }
      if result > 0 { lock.withLock { plan.bytesWritten += result } }
      return result
    }
    package override func synchronizeData(_ descriptor: Int32) -> Int {
      call(.synchronizeData) { super.synchronizeData(descriptor) }
    }
    package override func synchronize(_ descriptor: Int32) -> Int { call(.synchronize) { super.synchronize(descriptor) } }
    package override func allocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int {
      call(.allocate) { super.allocate(descriptor, range) }
    }
    package override func truncate(_ descriptor: Int32, byteCount: UInt64) -> Int {
      call(.truncate) { super.truncate(descriptor, byteCount: byteCount) }
    }
    package override func memoryFile() -> Int { call(.memoryFile) { super.memoryFile() } }
    package override func status(_ descriptor: Int32, _ status: inout FileStatus?) -> Int {
      call(.status) { super.status(descriptor, &status) }
    }
    package override func status(path: String, _ status: inout FileStatus?) -> Int {
      call(.status) { super.status(path: path, &status) }
    }
    package override func tryLock(_ descriptor: Int32) -> Int { call(.lock) { super.tryLock(descriptor) } }
    package override func unlock(_ descriptor: Int32) -> Int { call(.unlock) { super.unlock(descriptor) } }
    package override func link(_ path: String, to newPath: String) -> Int { call(.link) { super.link(path, to: newPath) } }
    package override func rename(_ path: String, to newPath: String) -> Int {
      call(.rename) { super.rename(path, to: newPath) }
    }
    package override func unlink(_ path: String) -> Int { call(.unlink) { super.unlink(path) } }
    package override func makeDirectory(_ path: String, mode: UInt32) -> Int {
      call(.makeDirectory) { super.makeDirectory(path, mode: mode) }
    }
    package override func changeMode(_ path: String, mode: UInt32) -> Int {
      call(.changeMode) { super.changeMode(path, mode: mode) }
    }
    package override func list(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int {
      call(.list) { super.list(path, body) }
    }
    package override func map(_ descriptor: Int32, offset: UInt64, count: Int, writable: Bool, code: inout Int) -> Mapping? {
      var (mapping, inner): (Mapping?, Int) = (nil, 0)
      code = call(.map) {
        mapping = super.map(descriptor, offset: offset, count: count, writable: writable, code: &inner)
        return inner
      }
      return mapping
    }
    package override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      call(.fileSystem) { super.fileSystem(path, &kind) }
    }
    package override func random(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      call(.random) { super.random(buffer, range) }
    }
  }
#endif
