package import RawMemory

extension SystemCalls {
  /// Fills a range from the kernel's generator, whole or not at all.
  ///
  /// - Throws: the call's own error; `EIO` when it gave less than was asked for.
  package func fillRandom(_ buffer: ByteBuffer, _ range: Range<Int>) throws(SystemError) {
    let count = random(buffer, range)
    if count != range.count { throw SystemError(.random, count < 0 ? Int32(-count) : ErrorNumber.inputOutput) }
  }

  /// So many bytes from the kernel's generator.
  package func randomBytes(_ count: Int) throws(SystemError) -> ByteBuffer {
    let buffer = ByteBuffer(count: count)
    try fillRandom(buffer, 0..<count)
    return buffer
  }

  /// For names of temporary files.
  package func randomNumber() throws(SystemError) -> UInt64 { try randomBytes(8).load(UInt64.self, at: 0) }
}
