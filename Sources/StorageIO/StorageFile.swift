import CSystem
package import RawMemory
import Synchronization

/// One open file: positioned reads and writes that are whole or an error, syncs, space, a lock, and mappings.
///
/// Calls are made again after EINTR, and after a short read or write with what is left. A sync that failed is never made
/// again: the kernel may have dropped what it couldn't write and call the next sync a success.
package final class StorageFile: @unchecked Sendable {
  package let system: SystemCalls
  package let descriptor: Int32
  /// Whether it has no name and no place on a disk.
  package var isInMemory: Bool { path.isEmpty }
  /// For errors. A file that was made beside its name and then linked has the name from then on.
  package private(set) var path: String
  private let lockSlot: Int?
  private let forkMark: UInt64
  /// Which file it is, once it was asked for: that never changes. An inode of 0 isn't known.
  private let knownDevice = Atomic<UInt64>(0)
  private let knownInode = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - isLockable: whether `tryLock` will be called: the descriptor is then closed in a forked child.
  ///   - isQuiet: for looking only, without changing the access time.
  ///   - protection: of a file that the flags let be made.
  package convenience init(
    _ system: SystemCalls, path: String, flags: Int32, mode: UInt32 = 0o600, isLockable: Bool = false, isQuiet: Bool = false,
    protection: FileProtection = FileProtection()
  ) throws(SystemError) {
    let result = retryingInterrupted {
      isQuiet ? system.openQuietly(path, flags: flags | O_CLOEXEC) : system.open(path, flags: flags | O_CLOEXEC, mode: mode)
    }
    self.init(system, owning: Int32(try check(result, .open)), path: path, isLockable: isLockable)
    // Before a byte is in it.
    if flags & O_CREAT != 0 { try check(system.protect(descriptor, protection), .protect) }
  }

  /// A file without a name, in memory, gone with its last owner. A forked child shares it.
  package convenience init(inMemory system: SystemCalls) throws(SystemError) {
    self.init(system, owning: Int32(try check(system.memoryFile(), .memoryFile)), path: "", isLockable: false)
  }

  private init(_ system: SystemCalls, owning descriptor: Int32, path: String, isLockable: Bool) {
    self.descriptor = descriptor
    self.system = system
    self.path = path
    lockSlot = isLockable ? LockDescriptors.insert(descriptor) : nil
    forkMark = ForkMark.current
  }

  deinit {
    // In a forked child the handler has closed it, and the number may be another file's by now.
    if let lockSlot {
      guard ForkMark.isCurrent(forkMark) else { return }
      LockDescriptors.remove(lockSlot)
    }
    // Never again after EINTR: the descriptor is gone then, and its number may be another's.
    _ = system.close(descriptor)
  }

  #if !hasFeature(Embedded)
    /// The same file open once more, for mappings that have to stay in a forked child: a mapping keeps what it was made by open, and so a
    /// lock of a parent that died. - Returns: this one where that can't be, or needn't.
    package func openedForMapping() -> StorageFile {
      guard lockSlot != nil, let path = system.path(ofOpen: descriptor) else { return self }
      let result = retryingInterrupted { system.open(path, flags: O_RDONLY | O_CLOEXEC, mode: 0) }
      return result < 0 ? self : StorageFile(system, owning: Int32(result), path: self.path, isLockable: false)
    }
  #endif

  /// Takes the name that the file was linked to; before it is shared between threads.
  func rename(to path: String) { self.path = path }

  /// Reads into the range until it is full or the file ends. - Returns: bytes read.
  package func read(_ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) throws(SystemError) -> Int {
    var done = 0
    while done < range.count {
      let from = offset + UInt64(done)
      let rest = range.lowerBound + done..<range.upperBound
      let count = try check(retryingInterrupted { system.read(descriptor, buffer, rest, at: from) }, .read)
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all of the range. What was written before an error stays, and isn't published.
  package func write(_ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) throws(SystemError) {
    var done = 0
    while done < range.count {
      let from = offset + UInt64(done)
      let rest = range.lowerBound + done..<range.upperBound
      let count = try check(retryingInterrupted { system.write(descriptor, buffer, rest, at: from) }, .write)
      if count == 0 { throw SystemError(.write, ENOSPC) }
      done += count
    }
  }

  /// On return everything written to the file before the call survives a loss of power.
  package func synchronizeData() throws(SystemError) {
    _ = try check(retryingInterrupted { system.synchronizeData(descriptor) }, .synchronizeData)
  }
  package func synchronize() throws(SystemError) {
    _ = try check(retryingInterrupted { system.synchronize(descriptor) }, .synchronize)
  }

  /// Makes the range part of the file with blocks of its own, so that a store through a mapping can't run out of space.
  package func allocate(_ range: Range<UInt64>) throws(SystemError) {
    _ = try check(retryingInterrupted { system.allocate(descriptor, range) }, .allocate)
  }

  /// Cuts the file off, or makes it longer with a hole. No mapping is touched behind the new end from then on.
  package func truncate(to byteCount: UInt64) throws(SystemError) {
    _ = try check(retryingInterrupted { system.truncate(descriptor, byteCount: byteCount) }, .truncate)
  }

  package func status() throws(SystemError) -> FileStatus {
    var status: FileStatus?
    _ = try check(system.status(descriptor, &status), .status)
    guard let status else { throw SystemError(.status, EIO) }
    return status
  }

  /// Whether a path leads to this file: other files come and go under a name.
  ///
  /// - Returns: false when nothing has the path.
  /// - Complexity: one system call, two the first time.
  package func isNamed(by path: String) throws(SystemError) -> Bool {
    var named: FileStatus?
    let result = retryingInterrupted { system.status(path: path, &named) }
    if result == -Int(ENOENT) { return false }
    try check(result, .status)
    if knownInode.load(ordering: .acquiring) == 0 {
      let own = try status()
      knownDevice.store(own.device, ordering: .relaxed)
      knownInode.store(own.inode, ordering: .releasing)
    }
    return named?.inode == knownInode.load(ordering: .relaxed) && named?.device == knownDevice.load(ordering: .relaxed)
  }

  /// Without waiting. - Returns: whether the lock is this handle's now.
  package func tryLock() throws(SystemError) -> Bool {
    let result = retryingInterrupted { system.tryLock(descriptor) }
    if result == -Int(EWOULDBLOCK) { return false }
    _ = try check(result, .lock)
    return true
  }
  /// Polls from 5 us up to 1 ms apart. - Returns: whether the lock was taken before the deadline.
  package func lock(until deadline: Deadline) throws(SystemError) -> Bool {
    var pause = PollingPause()
    while true {
      if try tryLock() { return true }
      if !pause.wait(until: deadline, system) { return false }
    }
  }
  package func unlock() { _ = system.unlock(descriptor) }

  /// Gives this file, which is going to take another's name, the other's mode: whoever could open that one can open this one.
  package func takeMode(of other: StorageFile) throws(SystemError) {
    let mode = try other.status().mode & 0o777
    if try status().mode & 0o777 != mode { try check(system.changeMode(path, mode: mode), .changeMode) }
  }

  /// - Parameters:
  ///   - offset: a multiple of the page size.
  ///   - isForgottenInChild: whether a forked child finds empty memory in its place: where the file is locked, its lock would live on in
  ///     the child otherwise.
  package func map(offset: UInt64, count: Int, writable: Bool, isForgottenInChild: Bool = false) throws(SystemError) -> Mapping {
    var code = 0
    let mapping = system.map(descriptor, offset: offset, count: count, writable: writable, code: &code)
    guard let mapping else { throw SystemError(.map, Int32(-code)) }
    if isForgottenInChild, lockSlot != nil { mapping.forgetInChild() }
    return mapping
  }
}

/// Makes a call again as long as a signal interrupts it.
@inline(__always) func retryingInterrupted(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result != -Int(EINTR) { return result }
  }
}

@inline(__always) @discardableResult
func check(_ result: Int, _ call: SystemCall) throws(SystemError) -> Int {
  if result < 0 { throw SystemError(call, Int32(-result)) }
  return result
}
