/// One change to what the kernel holds, in the order in which calls and stores made it.
///
/// An operation is *pending* until its inode, or for names its directory, is synced. Growth is an operation of its own beside
/// the bytes: after a power cut a file may be long and empty, or short by what it had grown.
package enum KernelOperation: Sendable {
  /// Bytes from `pwrite`.
  case write(inode: UInt64, offset: Int, bytes: [UInt8])
  /// Bytes stored through a mapping.
  case store(inode: UInt64, offset: Int, bytes: [UInt8])
  /// One aligned word stored through a mapping, which no power cut tears.
  case word(inode: UInt64, offset: Int, value: UInt64)
  case resize(inode: UInt64, byteCount: Int)
  case mode(inode: UInt64, mode: UInt32)
  /// A name for a file or directory that didn't exist before.
  case create(directory: UInt64, name: String, inode: UInt64, isDirectory: Bool, mode: UInt32)
  /// A file that no name ever leads to.
  case memory(inode: UInt64)
  case link(directory: UInt64, name: String, inode: UInt64)
  /// Within one directory, where a power cut leaves both of its halves or none.
  case rename(directory: UInt64, name: String, newName: String, inode: UInt64)
  case unlink(directory: UInt64, name: String)

  /// The inode whose sync makes it durable.
  package var owner: UInt64 {
    switch self {
    case .write(let inode, _, _), .store(let inode, _, _), .word(let inode, _, _): inode
    case .resize(let inode, _), .mode(let inode, _), .memory(let inode): inode
    case .create(let directory, _, _, _, _), .link(let directory, _, _), .unlink(let directory, _): directory
    case .rename(let directory, _, _, _): directory
    }
  }
}

/// One step of a kernel's history.
package enum KernelEvent: Sendable {
  case operation(KernelOperation)
  /// The pending operations of the inode became durable.
  case synchronized(inode: UInt64)
  /// A failed sync: what was pending never becomes durable, and the cache looks clean.
  case dropped(inode: UInt64)
}

/// Which of the pending operations a crash leaves behind.
package enum CrashChoice: Sendable {
  /// Only what was synced.
  case nothing
  case everything
  /// The first so many in the order in which they were made, over all files and directories.
  case prefix(Int)
  /// Each kept or lost by itself. A kept write may be torn between 512-byte sectors, or also inside one; words never are.
  case random(seed: UInt64, tearsInsideSectors: Bool = false)
}
