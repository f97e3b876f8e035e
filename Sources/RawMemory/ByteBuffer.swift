import CSystem

/// A fixed block of private memory that this object owns: aligned to 4,096 bytes from 4,096 bytes up, to 16 below.
///
/// Every access is checked against the bounds, and one outside them is a programming error that traps: what a file says is
/// validated before it becomes an offset here. Not for sharing between threads without a lock of the owner's.
@safe public final class ByteBuffer {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// Bytes.
  public let count: Int
  /// What the memory is a part of; nil when it is an allocation of its own.
  private let slab: Mapping?
  /// Whether the part of the slab is this buffer's alone.
  private let isOwned: Bool
  /// Whether it is overwritten with zeros at its end.
  private let isWiped: Bool

  /// Zero-filled.
  /// - Parameters:
  ///   - count: bytes, at least 1.
  ///   - isWiped: whether the memory is overwritten with zeros when the last owner lets go of it.
  public init(count: Int, isWiped: Bool = false) {
    precondition(count > 0)
    self.count = count
    slab = nil
    isOwned = true
    self.isWiped = isWiped
    var address: UnsafeMutableRawPointer?
    // Large blocks at +16 of a page would make copies up to 20 times slower, so pages are aligned to pages.
    let status = unsafe posix_memalign(&address, count >= 4096 ? 4096 : 16, count)
    guard status == 0, let address = unsafe address else { fatalError("out of memory") }
    unsafe base = address
    unsafe memset(address, 0, count)
  }

  /// A range of private memory, whole system pages that nobody else uses. As it is: zeros at first.
  init(of slab: Mapping, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= slab.count && !range.isEmpty, "outside the slab")
    count = range.count
    self.slab = slab
    isOwned = true
    isWiped = false
    unsafe base = slab.address + range.lowerBound
  }

  /// A mapped file, to be read where it lies: all of the mapping, which stays as long as this buffer. What is stored here traps, or changes the
  /// file; who reads knows that it is published.
  public init(reading mapping: Mapping) {
    count = mapping.count
    slab = mapping
    isOwned = false
    isWiped = false
    unsafe base = mapping.address
  }

  deinit {
    if slab == nil {
      // A call that the compiler can't leave out.
      if isWiped { unsafe anteroom_wipe(base, count) }
      unsafe free(base)
    } else if isOwned {
      // The system takes the memory back though the slab stays for its neighbours.
      unsafe _ = madvise(base, count, MADV_DONTNEED)
    }
  }

  /// Lends a range for reading.
  @inlinable public func withSpan<R, E: Error>(_ range: Range<Int>, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    check(range.lowerBound, range.count)
    let span = unsafe Span<UInt8>(_unsafeStart: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
    return try body(span)
  }

  /// Lends the address of a range to a call wrapper.
  @inlinable public func withUnsafeAddress<R>(_ range: Range<Int>, _ body: (UnsafeMutableRawPointer) -> R) -> R {
    check(range.lowerBound, range.count)
    return unsafe body(base + range.lowerBound)
  }

  /// Copies bytes in.
  @inlinable public func copy(_ span: Span<UInt8>, at offset: Int) {
    check(offset, span.count)
    if span.count == 0 { return }
    unsafe span.withUnsafeBufferPointer { source in
      unsafe (base + offset).copyMemory(from: source.baseAddress!, byteCount: source.count)
    }
  }

  /// Copies a range of another buffer, or of this one, in; the two may overlap.
  @inlinable public func copy(from other: ByteBuffer, _ range: Range<Int>, at offset: Int) {
    check(offset, range.count)
    other.check(range.lowerBound, range.count)
    unsafe (base + offset).copyMemory(from: other.base + range.lowerBound, byteCount: range.count)
  }

  /// Overwrites a range with zeros.
  public func zero(_ range: Range<Int>) {
    check(range.lowerBound, range.count)
    unsafe memset(base + range.lowerBound, 0, range.count)
  }

  /// Little-endian, at any alignment.
  @inlinable public func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    check(offset, MemoryLayout<T>.size)
    return unsafe T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Little-endian, at any alignment.
  @inlinable public func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    check(offset, MemoryLayout<T>.size)
    unsafe base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  /// Whether a range holds these bytes.
  @inlinable public func equals(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    check(range.lowerBound, range.count)
    if range.count != bytes.count { return false }
    if range.isEmpty { return true }
    return unsafe bytes.withUnsafeBufferPointer { other in
      unsafe Self.areEqual(base + range.lowerBound, UnsafeRawPointer(other.baseAddress!), other.count)
    }
  }

  /// Keys are short: eight bytes at a time, the last of them twice where that is none, take less than a call.
  @inlinable static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
      unsafe pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var offset = 0
    while offset &+ 8 <= count {
      if unsafe word(a, offset) != word(b, offset) { return false }
      offset &+= 8
    }
    if offset == count { return true }
    if count >= 8 { return unsafe word(a, count &- 8) == word(b, count &- 8) }
    while offset < count {
      if unsafe a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) { return false }
      offset &+= 1
    }
    return true
  }

  /// A range, copied out.
  public func bytes(_ range: Range<Int>) -> [UInt8] { withSpan(range) { $0.copied() } }

  @inlinable func check(_ offset: Int, _ byteCount: Int) {
    precondition(offset >= 0 && byteCount >= 0 && offset <= count - byteCount, "outside the buffer")
  }
}
