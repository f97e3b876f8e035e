/// The system calls that this library makes, by the names that errors show.
package enum SystemCall: UInt8, Sendable, CaseIterable {
  case open, close, read, write, synchronizeData, synchronize, allocate, truncate, memoryFile, status, lock, unlock
  case link, rename, unlink, makeDirectory, list, map, changeMode, fileSystem, random, protect

  /// As in the manual's section 2.
  package var name: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .read: "pread"
    case .write: "pwrite"
    case .synchronizeData: "fdatasync"
    case .synchronize: "fsync"
    case .allocate: "fallocate"
    case .truncate: "ftruncate"
    case .memoryFile: "memfd_create"
    case .status: "stat"
    case .lock: "flock"
    case .unlock: "flock"
    case .link: "link"
    case .rename: "rename"
    case .unlink: "unlink"
    case .makeDirectory: "mkdir"
    case .list: "readdir"
    case .map: "mmap"
    case .changeMode: "chmod"
    case .fileSystem: "statfs"
    case .random: "getrandom"
    case .protect: "fcntl"
    }
  }
}

/// A system call that failed, and with what `errno`.
package struct SystemError: Error, Sendable {
  package let call: SystemCall
  package let code: Int32
  package init(_ call: SystemCall, _ code: Int32) {
    self.call = call
    self.code = code
  }
}

/// What `stat` says of a file, as far as it matters here.
package struct FileStatus: Sendable {
  package enum Kind: Sendable { case file, directory, other }
  package var kind: Kind
  package var device: UInt64
  package var inode: UInt64
  package var byteCount: UInt64
  package var linkCount: UInt64
  package var mode: UInt32
  /// The user's id.
  package var owner: UInt32
  package init(
    kind: Kind, device: UInt64, inode: UInt64, byteCount: UInt64, linkCount: UInt64, mode: UInt32, owner: UInt32 = 0
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.byteCount = byteCount
    self.linkCount = linkCount
    self.mode = mode
    self.owner = owner
  }
}

/// How a file system treats bytes that are overwritten, which decides how a log writes.
package enum FileSystemKind: Sendable {
  /// A block that is allocated stays where it is: stores through a mapping can't run out of space.
  case overwritesInPlace
  /// Copy on write, or unknown: an overwrite may allocate again, so everything goes through `pwrite`.
  case mayAllocateAgain
  /// Locks and mappings aren't shared between machines: refused.
  case network
}
