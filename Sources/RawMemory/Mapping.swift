import CSystem
public import Synchronization

/// Learns of every store into a mapping. Test devices subclass it to know what was written and isn't durable yet.
public class MappingObserver: @unchecked Sendable {
  /// An observer that hears and does nothing.
  public init() {}
  /// Called after each store, with its range within the mapping.
  public func didStore(_ range: Range<Int>, of mapping: Mapping) {}
}

/// A mapped range of a file, unmapped when the last owner lets go of it.
///
/// The words in it are shared with other processes: they are read and written by atomic accesses alone, and everything else is
/// written before the word that publishes it, by one owner at a time: that makes it `Sendable`. Bounds are checked; an access
/// outside them traps.
@safe public final class Mapping: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// Bytes.
  public let count: Int
  /// Where in the file the mapping begins.
  public let fileOffset: UInt64
  private let observer: MappingObserver?
  private let backing: ByteBuffer?
  private var isForgottenInChild = false

  /// Takes over pages that `mmap` returned.
  public init(owning base: UnsafeMutableRawPointer, count: Int, fileOffset: UInt64) {
    unsafe self.base = base
    self.count = count
    self.fileOffset = fileOffset
    observer = nil
    backing = nil
  }

  /// Zero-filled private memory of whole pages, for what is not in any file.
  ///
  /// - Parameter isPopulated: whether the pages are there at once, which costs less than page by page.
  public static func anonymous(count: Int, isPopulated: Bool = false) -> Mapping {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | (isPopulated ? anteroom_map_populate() : 0)
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != anteroom_map_failed() else { fatalError("out of memory") }
    return unsafe Mapping(owning: address, count: count, fileOffset: 0)
  }

  /// Asks that a forked child finds zeros here. - Returns: whether the kernel does that.
  public func wipeOnFork() -> Bool { unsafe anteroom_wipe_on_fork(base, count) == 0 }

  /// Lets a forked child find empty memory here instead of the file. A mapping keeps the file open, and so a lock of the parent's, which
  /// would then outlive the parent. Before anybody else has the mapping.
  public func forgetInChild() {
    if backing == nil { isForgottenInChild = unsafe anteroom_forget_in_child(base, count) == 0 }
  }

  /// A view of memory that stands in for a file.
  public init(of buffer: ByteBuffer, _ range: Range<Int>, fileOffset: UInt64, observer: MappingObserver?) {
    unsafe base = buffer.withUnsafeAddress(range) { unsafe $0 }
    count = range.count
    self.fileOffset = fileOffset
    self.observer = observer
    backing = buffer
  }

  deinit {
    if isForgottenInChild { unsafe anteroom_unmapped_in_parent(base) }
    if backing == nil { unsafe _ = munmap(base, count) }
  }

  /// Where the mapping ends in the file.
  public var fileEnd: UInt64 { fileOffset + UInt64(count) }

  /// Sees everything that was stored before the word was.
  @inlinable public func loadAcquire(at offset: Int) -> UInt64 {
    unsafe word(offset).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
  }
  /// As `loadAcquire`, and in one order with all other sequentially consistent accesses.
  public func loadSequential(at offset: Int) -> UInt64 { unsafe anteroom_load_sequential(word(offset)) }

  /// Publishes: whoever acquires the word sees everything stored before.
  public func storeRelease(_ value: UInt64, at offset: Int) {
    unsafe anteroom_store_release(word(offset), value)
    if let observer { observer.didStore(offset..<offset + 8, of: self) }
  }
  /// As `storeRelease`, and in one order with all other sequentially consistent accesses.
  public func storeSequential(_ value: UInt64, at offset: Int) {
    unsafe anteroom_store_sequential(word(offset), value)
    if let observer { observer.didStore(offset..<offset + 8, of: self) }
  }
  /// Stores `desired` if `expected` is there, sequentially consistent. - Returns: whether it was.
  public func compareExchange(expected: UInt64, desired: UInt64, at offset: Int) -> Bool {
    let stored = unsafe anteroom_compare_exchange(word(offset), expected, desired)
    if stored, let observer { observer.didStore(offset..<offset + 8, of: self) }
    return stored
  }

  /// Copies bytes that a later store of a word will publish.
  public func copy(from buffer: ByteBuffer, _ range: Range<Int>, at offset: Int) {
    precondition(offset >= 0 && offset <= count - range.count, "outside the mapping")
    unsafe buffer.withUnsafeAddress(range) { source in unsafe _ = memcpy(base + offset, source, range.count) }
    if let observer { observer.didStore(offset..<offset + range.count, of: self) }
  }

  /// Copies out what the caller knows to be published.
  public func copy(_ range: Range<Int>, to buffer: ByteBuffer, at offset: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "outside the mapping")
    unsafe buffer.withUnsafeAddress(offset..<offset + range.count) { target in
      unsafe _ = memcpy(target, base + range.lowerBound, range.count)
    }
  }

  var address: UnsafeMutableRawPointer { unsafe base }

  @inlinable func word(_ offset: Int) -> UnsafeMutableRawPointer {
    precondition(offset >= 0 && offset <= count - 8 && offset % 8 == 0, "no aligned word inside the mapping")
    return unsafe base + offset
  }
}
