/// Bytes that never change, in one allocation with their owner: a row copied out of a page.
@safe public final class HeapBytes: @unchecked Sendable {
  /// Bytes.
  public let count: Int
  @usableFromInline let base: UnsafeMutableRawPointer

  /// Copies the bytes.
  public init(copying bytes: RawSpan) {
    count = bytes.byteCount
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 8)
    unsafe bytes.withUnsafeBytes { if $0.count > 0 { unsafe base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) } }
  }

  deinit { unsafe base.deallocate() }

  /// All of them; they can't outlive the owner.
  @inlinable public var bytes: RawSpan {
    @_lifetime(borrow self) get { unsafe _overrideLifetime(RawSpan(_unsafeStart: base, byteCount: count), borrowing: self) }
  }

  /// Lends all of them.
  @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe RawSpan(_unsafeStart: base, byteCount: count))
  }
}
