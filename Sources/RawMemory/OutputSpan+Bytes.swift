import CSystem

extension OutputSpan where Element == UInt8 {
  /// Appends bytes; more than there is room for traps.
  public mutating func append(copying bytes: Span<UInt8>) {
    if bytes.count == 0 { return }
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      precondition(bytes.count <= buffer.count - initializedCount, "outside the buffer")
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe _ = memcpy(buffer.baseAddress! + initializedCount, source.baseAddress!, source.count)
      }
      initializedCount += bytes.count
    }
  }
}

extension ByteBuffer {
  /// Lets `body` append the bytes of a range: as many as it has, or the call traps.
  public func fill(_ range: Range<Int>, _ body: (inout OutputSpan<UInt8>) -> Void) {
    check(range.lowerBound, range.count)
    let target = unsafe UnsafeMutableBufferPointer(
      start: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
    var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
    body(&output)
    let count = unsafe output.finalize(for: target)
    precondition(count == range.count, "another number of bytes than was said")
  }
}
