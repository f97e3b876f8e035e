/// What the disk holds of each inode, and what was done since its last sync.
///
/// A value, so that a copy is a checkpoint: the contents are shared until one side syncs that file.
struct Durability {
  struct Pending {
    let order: Int
    let operation: KernelOperation
  }

  struct Record {
    let isDirectory: Bool
    var mode: UInt32
    var bytes: [UInt8] = []
    var entries: [String: UInt64] = [:]
    var pending: [Pending] = []
  }

  static let root: UInt64 = 2
  private(set) var records: [UInt64: Record] = [root: Record(isDirectory: true, mode: 0o755)]
  private var nextOrder = 0

  init() {}
  /// All of it durable.
  init(records: [UInt64: Record]) { self.records = records }

  var pendingCount: Int { records.values.reduce(0) { $0 + $1.pending.count } }
  func pendingCount(of inode: UInt64) -> Int { records[inode]?.pending.count ?? 0 }

  mutating func apply(_ event: KernelEvent) {
    switch event {
    case .operation(let operation):
      if case .create(_, _, let inode, let isDirectory, let mode) = operation {
        records[inode] = Record(isDirectory: isDirectory, mode: mode)
      }
      if case .memory(let inode) = operation { records[inode] = Record(isDirectory: false, mode: 0o600) }
      records[operation.owner]!.pending.append(Pending(order: nextOrder, operation: operation))
      nextOrder += 1
    case .synchronized(let inode):
      guard let pending = records[inode]?.pending, !pending.isEmpty else { return }
      records[inode]!.pending = []
      for entry in pending { records[inode]!.apply(entry.operation) }
    case .dropped(let inode):
      records[inode]?.pending = []
    }
  }

  /// Writes behind the kernel's back: bytes on the disk itself, as damage and as files that were there before.
  mutating func overwrite(_ inode: UInt64, bytes: [UInt8]) { records[inode]!.bytes = bytes }
}

extension Durability.Record {
  mutating func apply(_ operation: KernelOperation) {
    switch operation {
    case .write(_, let offset, let bytes), .store(_, let offset, let bytes): put(bytes[...], at: offset)
    case .word(_, let offset, let value):
      grow(to: offset + 8)
      for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8)) }
    case .resize(_, let byteCount):
      if byteCount < bytes.count { bytes.removeLast(bytes.count - byteCount) } else { grow(to: byteCount) }
    case .mode(_, let mode): self.mode = mode
    case .create(_, let name, let inode, _, _), .link(_, let name, let inode): entries[name] = inode
    case .unlink(_, let name): entries[name] = nil
    case .rename(_, let name, let newName, let inode):
      entries[name] = nil
      entries[newName] = inode
    case .memory: break
    }
  }

  mutating func put(_ slice: ArraySlice<UInt8>, at offset: Int) {
    grow(to: offset + slice.count)
    bytes.replaceSubrange(offset..<offset + slice.count, with: slice)
  }

  private mutating func grow(to byteCount: Int) {
    while byteCount > bytes.count { bytes.append(contentsOf: Self.zeros[..<min(byteCount - bytes.count, Self.zeros.count)]) }
  }
  /// Copied as a block, which in a debug build takes a hundredth of the time of a repeated element.
  private static let zeros = [UInt8](repeating: 0, count: 1 << 16)
}
