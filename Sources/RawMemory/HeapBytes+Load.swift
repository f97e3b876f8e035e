#if !hasFeature(Embedded)
  extension HeapBytes {
    /// Little-endian, at any alignment; outside the bounds it traps.
    @inlinable public func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
      precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size, "outside the bytes")
      defer { withExtendedLifetime(storage) {} }
      return unsafe T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
  }
#endif
