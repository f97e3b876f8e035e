#if DEBUG
  import CSystem
  @testable import RawMemory

  /// Takes down what one mapping stores, at the moment of the store.
  final class StoreObserver: MappingObserver, @unchecked Sendable {
    private let core: KernelCore
    private let inode: Inode
    private let isWritable: Bool
    private var isFrozen = false
    private weak var process: KernelProcess?

    init(_ core: KernelCore, _ inode: Inode, isWritable: Bool, of process: KernelProcess) {
      self.process = process
      self.core = core
      self.inode = inode
      self.isWritable = isWritable
      super.init()
    }

    /// From now on the mapping belongs to a killed process.
    func freeze() {
      isFrozen = true
      if inode.shadow == nil { inode.shadow = inode.contents() }
    }

    override func didStore(_ range: Range<Int>, of mapping: Mapping) {
      core.locked {
        note(range.lowerBound + Int(mapping.fileOffset), range.count)
        if !isFrozen { process?.didStore() }
      }
    }

    private func note(_ offset: Int, _ count: Int) {
      guard isWritable else { fatalError("SIGSEGV: a store through a mapping for reading") }
      let page = core.settings.pageByteCount
      guard offset + count <= (inode.byteCount + page - 1) / page * page else {
        fatalError("SIGBUS: a store at \(offset), behind the end of a file of \(inode.byteCount) bytes")
      }
      let buffer = inode.buffer(inode.byteCount)
      // What is stored behind the end, inside the last page, never reaches the file.
      let kept = min(count, inode.byteCount - offset)
      if kept <= 0 { return }
      if isFrozen {
        if let shadow = inode.shadow { buffer.copy(shadow.span.extracting(offset..<offset + kept), at: offset) }
        return
      }
      if kept == 8 && offset % 8 == 0 {
        core.record(.word(inode: inode.number, offset: offset, value: buffer.load(UInt64.self, at: offset)))
      } else {
        core.record(.store(inode: inode.number, offset: offset, bytes: buffer.bytes(offset..<offset + kept)))
      }
      inode.shadow?.replaceSubrange(offset..<offset + kept, with: buffer.bytes(offset..<offset + kept))
    }
  }
#endif
