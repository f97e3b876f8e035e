// Only a build with testability lets another module subclass `SystemCalls`.
#if DEBUG
  import CSystem
  @testable package import RawMemory
  @testable package import StorageIO

  /// The system calls of one process of a `CrashKernel`: descriptors and locks are its own, everything else is shared.
  package class KernelProcess: SystemCalls, @unchecked Sendable {
    let core: KernelCore
    /// What `processIdentity` says; set another one for a process of another namespace, or one whose number is used again.
    package var facts: ProcessFacts {
      get { core.locked { ownFacts } }
      set { core.locked { ownFacts = newValue } }
    }
    private var ownFacts: ProcessFacts
    private var files: [Int32: OpenFile] = [:]
    private var observers: [() -> StoreObserver?] = []
    private var isDead = false
    /// Numbers that no real descriptor has: a forked child closes by number what is in the lock table.
    private var nextDescriptor: Int32 = 1_000_000

    /// Called at each failpoint that this process reaches, outside the kernel's lock.
    package var onReach: ((Failpoint) -> Void)?
    /// Called before each try for a lock, outside the kernel's lock.
    package var onTryLock: (() -> Void)?

    init(_ core: KernelCore) {
      self.core = core
      ownFacts = core.locked { core.nextProcess() }
      super.init()
      core.locked { core.processes.append { [weak self] in self?.ownFacts } }
    }

    /// Ends the process as SIGKILL does: descriptors and locks are gone, and its stores into mappings have no effect.
    ///
    /// Code that still runs on it gets EBADF from every call.
    package func kill() {
      core.locked {
        isDead = true
        ownFacts.liveness = .dead
        for observer in observers { observer()?.freeze() }
        for file in files.values { core.close(file) }
        files = [:]
      }
    }
    /// After so many more stores into mappings the process is killed; nil: never.
    package var storesUntilKill: Int? {
      get { core.locked { storeCountdown } }
      set { core.locked { storeCountdown = newValue } }
    }
    private var storeCountdown: Int?
    /// The process is killed before its so-manieth step from now: a system call, or behind a store into a mapping; nil: never.
    package var stepsUntilKill: Int? {
      get { core.locked { stepCountdown } }
      set { core.locked { stepCountdown = newValue } }
    }
    private var stepCountdown: Int?
    private func didStep() {
      guard let count = stepCountdown else { return }
      stepCountdown = count > 1 ? count - 1 : nil
      if count <= 1 { kill() }
    }
    func didStore() {
      didStep()
      guard let count = storeCountdown else { return }
      storeCountdown = count > 1 ? count - 1 : nil
      if count <= 1 { kill() }
    }
    package var isKilled: Bool { core.locked { isDead } }
    package var descriptorCount: Int { core.locked { files.count } }

    /// Lets go of the locks and keeps the descriptors.
    package func releaseLocks() { core.locked { for file in files.values { file.unlock() } } }

    func call(_ call: SystemCall, _ body: () -> Int) -> Int {
      core.locked {
        didStep()
        if isDead { return -Int(EBADF) }
        if let code = core.faults.admit(call) { return -Int(code) }
        return body()
      }
    }
    func call(_ call: SystemCall, _ descriptor: Int32, _ body: (OpenFile) -> Int) -> Int {
      self.call(call) {
        guard let file = files[descriptor] else { return -Int(EBADF) }
        return body(file)
      }
    }

    package override func open(_ path: String, flags: Int32, mode: UInt32) -> Int {
      call(.open) {
        var file: OpenFile?
        let code = core.open(path, flags: flags, mode: mode, &file)
        guard let file else { return code }
        return open(file)
      }
    }
    private func open(_ file: OpenFile) -> Int {
      nextDescriptor += 1
      files[nextDescriptor] = file
      return Int(nextDescriptor)
    }

    package override func openQuietly(_ path: String, flags: Int32) -> Int { open(path, flags: flags, mode: 0) }

    package override func close(_ descriptor: Int32) -> Int {
      // The descriptor is gone also when the call fails, as on Linux.
      let file = core.locked { files.removeValue(forKey: descriptor) }
      return call(.close) { file == nil ? -Int(EBADF) : 0 }.finally { if let file { core.locked { core.close(file) } } }
    }

    package override func read(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
      call(.read, descriptor) { core.read($0, buffer, range, at: offset) }
    }
    package override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
      call(.write, descriptor) { core.write($0, buffer, range, at: offset) }
    }
    package override func synchronizeData(_ descriptor: Int32) -> Int {
      call(.synchronizeData, descriptor) { core.synchronize($0.inode) }
    }
    package override func synchronize(_ descriptor: Int32) -> Int {
      call(.synchronize, descriptor) { core.synchronize($0.inode) }
    }
    package override func allocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int {
      call(.allocate, descriptor) { core.allocate($0, range) }
    }

    package override func truncate(_ descriptor: Int32, byteCount: UInt64) -> Int {
      call(.truncate, descriptor) { core.truncate($0, byteCount) }
    }
    package override func memoryFile() -> Int {
      call(.memoryFile) { open(OpenFile(core.makeMemoryFile(), isReadable: true, isWritable: true)) }
    }

    package override func status(_ descriptor: Int32, _ status: inout FileStatus?) -> Int {
      call(.status, descriptor) {
        status = core.status($0.inode)
        return 0
      }
    }
    package override func status(path: String, _ status: inout FileStatus?) -> Int {
      call(.status) {
        var inode: Inode?
        let code = core.find(path, &inode)
        if let inode { status = core.status(inode) }
        return code
      }
    }

    package override func tryLock(_ descriptor: Int32) -> Int {
      onTryLock?()
      return call(.lock, descriptor) { core.tryLock($0) }
    }
    package override func unlock(_ descriptor: Int32) -> Int {
      call(.unlock, descriptor) {
        $0.unlock()
        return 0
      }
    }

    package override func link(_ path: String, to newPath: String) -> Int { call(.link) { core.link(path, to: newPath) } }
    package override func rename(_ path: String, to newPath: String) -> Int {
      call(.rename) { core.rename(path, to: newPath) }
    }
    package override func unlink(_ path: String) -> Int { call(.unlink) { core.unlink(path) } }
    package override func makeDirectory(_ path: String, mode: UInt32) -> Int {
      call(.makeDirectory) { core.makeDirectory(path, mode: mode & 0o7777) }
    }
    package override func changeMode(_ path: String, mode: UInt32) -> Int {
      call(.changeMode) { core.changeMode(path, mode: mode) }
    }

    package override func list(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int {
      var names: [String] = []
      let code = call(.list) {
        var inode: Inode?
        let code = core.find(path, &inode)
        guard let inode else { return code }
        guard inode.isDirectory else { return -Int(ENOTDIR) }
        names = inode.entries.keys.sorted()
        // In no order, as the real call, and always in the same one.
        names.shuffle(using: &core.generator)
        return 0
      }
      for name in names { body(Array(name.utf8).span) }
      return code
    }

    package override func map(_ descriptor: Int32, offset: UInt64, count: Int, writable: Bool, code: inout Int) -> Mapping? {
      var mapping: Mapping?
      code = call(.map, descriptor) { file in
        guard count > 0, offset % UInt64(core.settings.pageByteCount) == 0 else { return -Int(EINVAL) }
        guard file.isReadable, file.isWritable || !writable else { return -Int(EACCES) }
        let end = Int(offset) + count
        let buffer = file.inode.buffer(max(end, core.settings.reservedByteCount))
        file.inode.hasBeenMapped = true
        let observer = StoreObserver(core, file.inode, isWritable: writable, of: self)
        observers.removeAll { $0() == nil }
        observers.append { [weak observer] in observer }
        mapping = Mapping(of: buffer, Int(offset)..<end, fileOffset: offset, observer: observer)
        return 0
      }
      return mapping
    }

    package override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      call(.fileSystem) {
        var inode: Inode?
        kind = core.settings.fileSystemKind
        return core.find(path, &inode)
      }
    }
    package override func random(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      call(.random) {
        for index in range { buffer.store(UInt8.random(in: 0...255, using: &core.generator), at: index) }
        return range.count
      }
    }

    package override func processIdentity() -> Int32 { facts.identity }
    package override func processNamespace() -> UInt64 { facts.namespace }
    package override func processImage() -> [UInt8]? { [UInt8](repeating: facts.image, count: 16) }
    package override func processLiveness(_ process: Int32, startTime: inout UInt64?) -> ProcessLiveness {
      let facts = core.locked { core.process(process, seenFrom: ownFacts) }
      if facts?.liveness == .alive { startTime = facts?.startTime }
      return facts?.liveness ?? .dead
    }
    package override func processStartTime(_ process: Int32) -> UInt64? {
      core.locked { core.process(process, seenFrom: ownFacts)?.startTime }
    }

    /// Nothing to watch with: who listens looks at intervals.
    package override func watchDirectory(_ path: String) -> Int { -Int(ENOSYS) }
    package override func clearWatch(_ descriptor: Int32) {}
    package override func bootIdentity() -> UInt64 { core.locked { core.settings.bootIdentity } }
    package override func realtimeMicroseconds() -> Int64 { core.locked { core.settings.realtimeMicroseconds } }
    package override func monotonicNanoseconds() -> UInt64 { core.locked { core.settings.monotonicNanoseconds } }
    package override func sleep(nanoseconds: UInt64) { core.locked { core.step(nanoseconds: nanoseconds) } }
    package override var pageByteCount: Int { core.locked { core.settings.pageByteCount } }

    package override func reach(_ point: Failpoint) { if !isKilled { onReach?(point) } }
  }

  extension Int {
    fileprivate func finally(_ body: () -> Void) -> Int {
      body()
      return self
    }
  }
#endif
