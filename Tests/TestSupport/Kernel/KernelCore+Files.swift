import CSystem
import RawMemory
import StorageIO

extension KernelCore {
  func open(_ path: String, flags: Int32, mode: UInt32, _ file: inout OpenFile?) -> Int {
    let access = flags & O_ACCMODE
    let writes = access == O_WRONLY || access == O_RDWR
    var inode: Inode?
    let found = find(path, &inode)
    if inode == nil {
      guard found == -Int(ENOENT), flags & O_CREAT != 0 else { return found }
      var (parent, name): (Inode?, String) = (nil, "")
      let foundParent = findParent(path, &parent, &name)
      guard foundParent == 0, let parent else { return foundParent }
      if faults.isReadOnly { return -Int(EROFS) }
      inode = make(name, in: parent, isDirectory: false, mode: mode & 0o7777)
    } else if flags & O_CREAT != 0 && flags & O_EXCL != 0 {
      return -Int(EEXIST)
    }
    guard let inode else { return -Int(ENOENT) }
    if inode.isDirectory && (writes || flags & O_CREAT != 0) { return -Int(EISDIR) }
    if !inode.isDirectory && flags & O_DIRECTORY != 0 { return -Int(ENOTDIR) }
    if writes && faults.isReadOnly { return -Int(EROFS) }
    if flags & O_TRUNC != 0 && writes && inode.byteCount > 0 { resize(inode, 0) }
    file = OpenFile(inode, isReadable: access != O_WRONLY, isWritable: writes)
    return 0
  }

  func close(_ file: OpenFile) {
    file.unlock()
    file.inode.openCount -= 1
    forgetIfUnused(file.inode)
  }

  func read(_ file: OpenFile, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    guard file.isReadable else { return -Int(EBADF) }
    let inode = file.inode
    if inode.isDirectory { return -Int(EISDIR) }
    guard offset < UInt64(inode.byteCount) else { return 0 }
    let start = Int(offset)
    let count = min(range.count, inode.byteCount - start, faults.transferByteCountMax ?? .max)
    buffer.copy(from: inode.buffer(inode.byteCount), start..<start + count, at: range.lowerBound)
    return count
  }

  func write(_ file: OpenFile, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    guard file.isWritable else { return -Int(EBADF) }
    if faults.isReadOnly { return -Int(EROFS) }
    if range.isEmpty { return 0 }
    let inode = file.inode
    let start = Int(offset)
    var count = min(range.count, faults.transferByteCountMax ?? .max)
    if let limit = faults.fileByteCountMax {
      if start >= limit { return -Int(EFBIG) }
      count = min(count, limit - start)
    }
    // Where an overwrite allocates again, the old block is free only after the new one is written.
    let inPlace = settings.fileSystemKind == .overwritesInPlace ? max(0, inode.byteCount - start) : 0
    let hole = max(0, start - inode.byteCount)
    let room = freeByteCount == .max ? Int.max : freeByteCount - hole + inPlace
    if room <= 0 { return -Int(ENOSPC) }
    count = min(count, room)
    if start + count > inode.byteCount { resize(inode, start + count) }
    let bytes = buffer.bytes(range.lowerBound..<range.lowerBound + count)
    inode.buffer(inode.byteCount).copy(bytes.span, at: start)
    inode.shadow?.replaceSubrange(start..<start + count, with: bytes)
    faults.bytesWritten += count
    record(.write(inode: inode.number, offset: start, bytes: bytes))
    return count
  }

  func allocate(_ file: OpenFile, _ range: Range<UInt64>) -> Int {
    guard file.isWritable else { return -Int(EBADF) }
    if faults.isReadOnly { return -Int(EROFS) }
    if range.isEmpty { return -Int(EINVAL) }
    let end = Int(range.upperBound)
    if let limit = faults.fileByteCountMax, end > limit { return -Int(EFBIG) }
    if end - file.inode.byteCount > freeByteCount { return -Int(ENOSPC) }
    if end > file.inode.byteCount { resize(file.inode, end) }
    return 0
  }

  /// Growth takes its blocks at once, so that the size of the disk is never exceeded.
  func truncate(_ file: OpenFile, _ byteCount: UInt64) -> Int {
    guard file.isWritable else { return -Int(EINVAL) }
    let byteCount = Int(byteCount)
    if let limit = faults.fileByteCountMax, byteCount > limit { return -Int(EFBIG) }
    if byteCount - file.inode.byteCount > freeByteCount { return -Int(ENOSPC) }
    if byteCount != file.inode.byteCount { resize(file.inode, byteCount) }
    return 0
  }

  func makeMemoryFile() -> Inode {
    let inode = Inode(number: nextInode, isDirectory: false, mode: 0o600)
    nextInode += 1
    inodes[inode.number] = inode
    record(.memory(inode: inode.number))
    return inode
  }

  func resize(_ inode: Inode, _ byteCount: Int) {
    inode.resize(byteCount)
    record(.resize(inode: inode.number, byteCount: byteCount))
  }

  func synchronize(_ inode: Inode) -> Int {
    if let fault = faults.syncFault(isOfDirectory: inode.isDirectory) {
      guard fault.isLoss else { return 0 }
      record(.dropped(inode: inode.number))
      return -Int(EIO)
    }
    record(.synchronized(inode: inode.number))
    return 0
  }

  func tryLock(_ file: OpenFile) -> Int {
    if let holder = file.inode.lockHolder, holder !== file { return -Int(EWOULDBLOCK) }
    file.inode.lockHolder = file
    return 0
  }

  func status(_ inode: Inode) -> FileStatus {
    FileStatus(
      kind: inode.isDirectory ? .directory : .file, device: settings.device, inode: inode.number,
      byteCount: UInt64(inode.byteCount), linkCount: UInt64(inode.linkCount), mode: inode.mode)
  }
}
