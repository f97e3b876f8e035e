extension Array where Element == UInt8 {
  /// Lends the bytes.
  @inlinable public func withRawSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe span.bytes)
  }
}
