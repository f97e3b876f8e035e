/// The 12 bytes of nonce of RFC 8439, kept as words so that making one allocates nothing.
struct Nonce {
  /// The bytes in memory order.
  let words: (UInt32, UInt32, UInt32)

  /// 4 zero bytes, then the counter, little-endian: distinct counters are distinct nonces.
  init(counter: UInt64) { self.init(constant: 0, counter: counter) }

  /// 4 bytes of constant, then the counter, both little-endian.
  init(constant: UInt32, counter: UInt64) {
    words = (constant.littleEndian, UInt32(truncatingIfNeeded: counter).littleEndian, UInt32(counter >> 32).littleEndian)
  }
}
