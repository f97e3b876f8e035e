import CSystem
package import RawMemory

/// Every system call, raw, in one place: a test device overrides these methods and is the whole kernel to what is above.
///
/// Each returns what the call returns, or `-errno`. Nothing here retries: `StorageFile` and `StorageDirectory` know which
/// calls may be made again after EINTR.
package class SystemCalls: @unchecked Sendable {
  package static let live = SystemCalls()
  package init() {}

  package func open(_ path: String, flags: Int32, mode: UInt32) -> Int {
    result(unsafe path.withCString { unsafe Int(anteroom_open($0, flags, mode_t(mode))) })
  }
  /// For looking only: the access time isn't changed where that is allowed.
  package func openQuietly(_ path: String, flags: Int32) -> Int {
    result(unsafe path.withCString { unsafe Int(anteroom_open_quietly($0, flags)) })
  }
  package func close(_ descriptor: Int32) -> Int { result(Int(CSystem.close(descriptor))) }

  package func read(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    unsafe buffer.withUnsafeAddress(range) { result(unsafe pread(descriptor, $0, range.count, off_t(offset))) }
  }
  package func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    unsafe buffer.withUnsafeAddress(range) { result(unsafe pwrite(descriptor, $0, range.count, off_t(offset))) }
  }
  /// Data, and what of the metadata is needed to read it back.
  package func synchronizeData(_ descriptor: Int32) -> Int { liveSynchronizeData(descriptor) }
  package func synchronize(_ descriptor: Int32) -> Int { liveSynchronize(descriptor) }
  /// Makes the range part of the file, with blocks of its own, zero where nothing was written.
  package func allocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int {
    // A limit on file sizes would also send a signal, which ends most processes.
    var limit = rlimit()
    if unsafe getrlimit(anteroom_file_size_limit(), &limit) == 0, range.upperBound > limit.rlim_cur { return -Int(EFBIG) }
    return liveAllocate(descriptor, range)
  }

  /// Cuts the file off at a size, or makes it longer with a hole.
  package func truncate(_ descriptor: Int32, byteCount: UInt64) -> Int { result(Int(ftruncate(descriptor, off_t(byteCount)))) }
  /// A file without a name, in memory, close-on-exec.
  package func memoryFile() -> Int { liveMemoryFile() }

  package func status(_ descriptor: Int32, _ status: inout FileStatus?) -> Int {
    var raw = stat()
    let code = result(unsafe Int(fstat(descriptor, &raw)))
    if code == 0 { status = fileStatus(raw) }
    return code
  }
  /// Of the path itself: a symbolic link isn't followed.
  package func status(path: String, _ status: inout FileStatus?) -> Int {
    var raw = stat()
    let code = result(unsafe path.withCString { unsafe Int(lstat($0, &raw)) })
    if code == 0 { status = fileStatus(raw) }
    return code
  }

  /// Exclusive, without waiting: `-EWOULDBLOCK` when it is held elsewhere.
  package func tryLock(_ descriptor: Int32) -> Int { result(Int(flock(descriptor, LOCK_EX | LOCK_NB))) }
  package func unlock(_ descriptor: Int32) -> Int { result(Int(flock(descriptor, LOCK_UN))) }

  package func link(_ path: String, to newPath: String) -> Int {
    result(unsafe path.withCString { old in unsafe newPath.withCString { unsafe Int(CSystem.link(old, $0)) } })
  }
  /// In one step, in place of a file, or of an empty directory, that has the new name.
  package func rename(_ path: String, to newPath: String) -> Int {
    result(unsafe path.withCString { old in unsafe newPath.withCString { unsafe Int(CSystem.rename(old, $0)) } })
  }
  package func unlink(_ path: String) -> Int { result(unsafe path.withCString { unsafe Int(CSystem.unlink($0)) }) }
  package func makeDirectory(_ path: String, mode: UInt32) -> Int {
    result(unsafe path.withCString { unsafe Int(mkdir($0, mode_t(mode))) })
  }
  package func changeMode(_ path: String, mode: UInt32) -> Int {
    result(unsafe path.withCString { unsafe Int(chmod($0, mode_t(mode))) })
  }

  /// Marks a file as Apple's systems can; elsewhere there is nothing to mark, and this is no call.
  package func protect(_ descriptor: Int32, _ protection: FileProtection) -> Int { liveProtect(descriptor, protection) }
  /// Marks a directory, which what is made in it inherits.
  package func protect(directory path: String, _ protection: FileProtection) -> Int { liveProtect(directory: path, protection) }

  /// Calls `body` with each name in the directory, in no order.
  package func list(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int { liveList(path, body) }

  /// Shared, and page-aligned by the caller. nil with `-errno` in `code`.
  package func map(_ descriptor: Int32, offset: UInt64, count: Int, writable: Bool, code: inout Int) -> Mapping? {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    let address = unsafe mmap(nil, count, protection, MAP_SHARED, descriptor, off_t(offset))
    guard let address = unsafe address, unsafe address != anteroom_map_failed() else {
      code = -Int(anteroom_errno())
      return nil
    }
    code = 0
    return unsafe Mapping(owning: address, count: count, fileOffset: offset)
  }

  package func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int { liveFileSystem(path, &kind) }
  /// From the kernel's generator.
  package func random(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int { liveRandom(buffer, range) }
  /// 48 bits that differ from boot to boot; 0 is unknown, and never equal to anything.
  package func bootIdentity() -> UInt64 { liveBootIdentity() }

  /// Whose rights this process has.
  package func effectiveUser() -> UInt32 { UInt32(geteuid()) }
  /// The id of this process in its own namespace.
  package func processIdentity() -> Int32 { getpid() }
  /// Whether a process of this namespace runs; one that has ended and that nobody waited for doesn't. - Parameter startTime: of one that
  /// runs, as `processStartTime` says.
  package func processLiveness(_ process: Int32, startTime: inout UInt64?) -> ProcessLiveness {
    liveProcessLiveness(process, &startTime)
  }
  /// When a process of this namespace started, in ticks since the boot; nil where that can't be known.
  package func processStartTime(_ process: Int32) -> UInt64? { liveProcessStatus(process)?.startTime }
  /// In which namespace the process ids that this process sees mean something; 0 is unknown, and never equal to anything.
  package func processNamespace() -> UInt64 { liveProcessNamespace() }
  /// 16 secret bytes that a program image got when it was started, the same in all of its code and in forked children; nil where
  /// there are none.
  package func processImage() -> [UInt8]? { liveProcessImage() }

  /// A descriptor that becomes readable when a file of the directory is written, made or renamed.
  package func watchDirectory(_ path: String) -> Int { liveWatchDirectory(path) }
  /// A descriptor for the events of one file, where a watch of its directory doesn't tell of them; `-EOPNOTSUPP` where it does.
  package func watchFile(_ path: String) -> Int { liveWatchFile(path) }
  /// Forgets the events that made a watch readable.
  package func clearWatch(_ descriptor: Int32) { liveClearWatch(descriptor) }

  /// Microseconds since 1970, by the clock that people set.
  package func realtimeMicroseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
  /// Nanoseconds that never go back; for deadlines.
  package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
  package func sleep(nanoseconds: UInt64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    unsafe _ = nanosleep(&time, nil)
  }

  /// The granularity of mappings: 4 KiB, or 16 or 64 on some systems.
  package var pageByteCount: Int { sysconf(Int32(_SC_PAGESIZE)) }

  /// Where code says that it is at a named point: a test stops, kills or fails it there.
  package func reach(_ point: Failpoint) {}
}

@inline(__always) func result(_ value: Int) -> Int { value >= 0 ? value : -Int(anteroom_errno()) }

private func fileStatus(_ raw: stat) -> FileStatus {
  let kind: FileStatus.Kind =
    unsafe withUnsafePointer(to: raw) { unsafe anteroom_is_regular($0) ? .file : anteroom_is_directory($0) ? .directory : .other }
  return FileStatus(
    kind: kind, device: UInt64(truncatingIfNeeded: raw.st_dev), inode: UInt64(raw.st_ino), byteCount: UInt64(raw.st_size),
    linkCount: UInt64(raw.st_nlink), mode: UInt32(raw.st_mode) & 0o7777, owner: UInt32(raw.st_uid))
}
