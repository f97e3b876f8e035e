import CSystem

/// Bytes at rest and the owner that keeps them in place: a page of a mapping, a frame of a cache, a buffer.
///
/// The view retains its owner, so the memory is there as long as the view is; only one that a `LazyMapping` gave has none. That the
/// *content* doesn't change meanwhile is the owner's rule. Bounds are checked; an access outside them traps.
@safe @frozen public struct ByteView: @unchecked Sendable {
  @usableFromInline let base: UnsafeRawPointer
  /// Bytes.
  public let count: Int
  @usableFromInline let owner: AnyObject?

  @inlinable init(base: UnsafeRawPointer, count: Int, owner: AnyObject?) {
    unsafe self.base = base
    self.count = count
    self.owner = owner
  }

  /// A range of it, with the same owner.
  @inlinable public func slice(_ range: Range<Int>) -> ByteView {
    check(range.lowerBound, range.count)
    return unsafe ByteView(base: base + range.lowerBound, count: range.count, owner: owner)
  }

  /// Little-endian, at any alignment.
  @inlinable public func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    check(offset, MemoryLayout<T>.size)
    return unsafe T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Lends a range.
  @inlinable public func withBytes<R, E: Error>(_ range: Range<Int>, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    check(range.lowerBound, range.count)
    return try body(unsafe RawSpan(_unsafeStart: base + range.lowerBound, byteCount: range.count))
  }

  /// A range; it can't outlive the view.
  @inlinable @_lifetime(borrow self) public func bytes(_ range: Range<Int>) -> RawSpan {
    check(range.lowerBound, range.count)
    return unsafe _overrideLifetime(RawSpan(_unsafeStart: base + range.lowerBound, byteCount: range.count), borrowing: self)
  }

  /// The order of a range against other bytes: unsigned, a prefix before what it begins. - Returns: below, at or above 0.
  @inlinable public func compare(_ range: Range<Int>, with other: borrowing RawSpan) -> Int {
    check(range.lowerBound, range.count)
    return unsafe RawSpan(_unsafeStart: base + range.lowerBound, byteCount: range.count).compare(other)
  }

  /// How many numbers of a sorted list are below `number`. They stand `stride` bytes apart, little-endian, the first at `offset`.
  ///
  /// - Complexity: O(log *count*), one check of the bounds for all of them.
  @inlinable public func countBelow(_ number: UInt32, at offset: Int, stride: Int, count: Int) -> Int {
    if count <= 0 { return 0 }
    check(offset, (count - 1) * stride + MemoryLayout<UInt32>.size)
    // Within the range that was checked nothing overflows.
    var first = unsafe base + offset
    var rest = count
    while rest > 1 {
      let half = rest / 2
      let middle = unsafe first + (half &- 1) &* stride
      let isBelow = unsafe UInt32(littleEndian: middle.loadUnaligned(as: UInt32.self)) < number
      unsafe first = isBelow ? middle + stride : first
      rest = rest &- half
    }
    let last = unsafe UInt32(littleEndian: first.loadUnaligned(as: UInt32.self)) < number ? 1 : 0
    return (unsafe first - (base + offset)) / stride &+ last
  }

  /// Asks for a range that will be read soon, and waits for nothing.
  public func prefetch(_ range: Range<Int>) {
    check(range.lowerBound, range.count)
    unsafe anteroom_prefetch(base + range.lowerBound, range.count)
  }

  /// Copies a range out.
  @inlinable public func copy(_ range: Range<Int>, to buffer: ByteBuffer, at offset: Int) {
    check(range.lowerBound, range.count)
    buffer.check(offset, range.count)
    unsafe (buffer.base + offset).copyMemory(from: base + range.lowerBound, byteCount: range.count)
  }

  @inlinable func check(_ offset: Int, _ byteCount: Int) {
    precondition(offset >= 0 && byteCount >= 0 && offset <= count - byteCount, "outside the view")
  }
}

extension ByteBuffer {
  /// A range of the buffer; who changes the buffer changes what the view shows.
  @inlinable public func view(_ range: Range<Int>) -> ByteView {
    check(range.lowerBound, range.count)
    return unsafe ByteView(base: UnsafeRawPointer(base + range.lowerBound), count: range.count, owner: self)
  }
  /// All of it.
  @inlinable public var view: ByteView { unsafe ByteView(base: UnsafeRawPointer(base), count: count, owner: self) }
}

extension Mapping {
  /// A range of the mapping, which stays mapped as long as the view is held.
  public func view(_ range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "outside the mapping")
    return unsafe ByteView(base: UnsafeRawPointer(address + range.lowerBound), count: range.count, owner: self)
  }
}
