import CSystem

extension Span where Element == UInt8 {
  /// Whether both hold the same bytes.
  public func equals(_ other: borrowing Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    if count == 0 { return true }
    return unsafe withUnsafeBufferPointer { a in
      unsafe other.withUnsafeBufferPointer { b in unsafe memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0 }
    }
  }

  /// The bytes, copied.
  public func copied() -> [UInt8] {
    if count == 0 { return [] }
    return unsafe withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }

  /// The bytes as text; what isn't UTF-8 becomes U+FFFD.
  public func decodedString() -> String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension Span where Element == UInt8 {
  /// The same bytes, untyped. (`bytes`, which the standard library takes for unsafe in general, isn't so for bytes.)
  @inlinable public var raw: RawSpan {
    @_lifetime(copy self) get { unsafe bytes }
  }
}
