import RawMemory

/// A file or directory as running processes see it: the page cache.
final class Inode {
  let number: UInt64
  let isDirectory: Bool
  var mode: UInt32
  var linkCount = 0
  var openCount = 0
  var entries: [String: Inode] = [:]
  /// Who holds the lock; locks belong to the open file, not to the process.
  weak var lockHolder: OpenFile?
  private(set) var byteCount: Int
  /// The contents as a killed process may no longer change them, once one had this file mapped.
  var shadow: [UInt8]?
  /// What the disk held, until the first access copies it into memory.
  private var source: [UInt8]
  private var memory: ByteBuffer?
  private var byteCountMax = 0
  /// Set by whoever maps the file.
  var hasBeenMapped = false

  init(number: UInt64, isDirectory: Bool, mode: UInt32, source: [UInt8] = []) {
    self.number = number
    self.isDirectory = isDirectory
    self.mode = mode
    self.source = source
    byteCount = source.count
  }

  deinit {
    // A mapping that outlives the file keeps the block.
    if isKnownUniquelyReferenced(&memory), let memory { give(memory) }
  }

  /// The memory, large enough; blocks that are mapped can't move.
  func buffer(_ neededByteCount: Int) -> ByteBuffer {
    if let memory, memory.count >= neededByteCount { return memory }
    var capacity = 1 << 16
    while capacity < neededByteCount { capacity *= 2 }
    let larger = BufferPool.shared.take(capacity)
    // Asked before anything here refers to the block as well. Who gave it to the pool may still be letting go of it on another thread,
    // so that the count alone doesn't tell.
    let canMove = !hasBeenMapped || isKnownUniquelyReferenced(&memory)
    if let old = memory {
      precondition(canMove, "a mapped file outgrew its reservation: give the kernel a larger one")
      larger.copy(from: old, 0..<byteCount, at: 0)
      memory = nil
      give(old)
    } else {
      larger.copy(source.span, at: 0)
      source = []
    }
    byteCountMax = max(byteCountMax, byteCount)
    memory = larger
    return larger
  }

  private func give(_ buffer: ByteBuffer) {
    // Stores are allowed up to the end of the last page, of at most 64 KiB.
    BufferPool.shared.give(buffer, dirtyByteCount: (max(byteCountMax, byteCount) + 65535) / 65536 * 65536)
  }

  func resize(_ newByteCount: Int) {
    let memory = buffer(newByteCount)
    if newByteCount < byteCount { memory.zero(newByteCount..<byteCount) }
    byteCount = newByteCount
    byteCountMax = max(byteCountMax, newByteCount)
    if shadow != nil { shadow = contents() }
  }

  func contents() -> [UInt8] { memory.map { $0.bytes(0..<byteCount) } ?? source }

  /// Replaces everything, as damage from outside does.
  func replace(_ bytes: [UInt8]) {
    resize(bytes.count)
    buffer(bytes.count).copy(bytes.span, at: 0)
    if shadow != nil { shadow = bytes }
  }
}

/// An open file description: what a descriptor number stands for.
final class OpenFile {
  let inode: Inode
  let isReadable: Bool
  let isWritable: Bool

  init(_ inode: Inode, isReadable: Bool, isWritable: Bool) {
    self.inode = inode
    self.isReadable = isReadable
    self.isWritable = isWritable
    inode.openCount += 1
  }

  func unlock() { if inode.lockHolder === self { inode.lockHolder = nil } }
}
