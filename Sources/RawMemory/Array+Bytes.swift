extension Array where Element == UInt8 {
  /// Lends the bytes.
  @inlinable public func withRawSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe span.bytes)
  }

  /// Appends an integer's bytes, the lowest first.
  @inlinable public mutating func append<T: FixedWidthInteger & BitwiseCopyable>(littleEndian value: T) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends bytes.
  @inlinable public mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Overwrites bytes that are there; outside the bounds it traps.
  @inlinable public mutating func store<T: FixedWidthInteger & BitwiseCopyable>(littleEndian value: T, at offset: Int) {
    precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size, "outside the array")
    unsafe withUnsafeMutableBytes { unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self) }
  }

  /// Overwrites bytes that are there; outside the bounds it traps.
  @inlinable public mutating func store(_ bytes: [UInt8], at offset: Int) {
    precondition(offset >= 0 && offset <= count - bytes.count, "outside the array")
    unsafe withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes {
        if $0.count > 0 { unsafe (target.baseAddress! + offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      }
    }
  }
}
