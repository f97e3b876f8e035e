import CSystem

extension RawSpan {
  /// Little-endian, at any alignment; outside the bounds it traps.
  @inlinable public func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    T(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// The order of the bytes, unsigned, a prefix before what it begins. - Returns: below, at or above 0.
  public func compare(_ other: borrowing RawSpan) -> Int {
    let common = min(byteCount, other.byteCount)
    if common > 0 {
      let order = unsafe withUnsafeBytes { a in
        unsafe other.withUnsafeBytes { b in Int(unsafe memcmp(a.baseAddress!, b.baseAddress!, common)) }
      }
      if order != 0 { return order }
    }
    return byteCount - other.byteCount
  }

  /// Whether both hold the same bytes.
  public func equals(_ other: borrowing RawSpan) -> Bool { byteCount == other.byteCount && compare(other) == 0 }

  /// How many bytes both begin with alike.
  public func commonPrefixByteCount(_ other: borrowing RawSpan) -> Int {
    let common = min(byteCount, other.byteCount)
    var index = 0
    while index + 8 <= common {
      let difference = load(UInt64.self, at: index) ^ other.load(UInt64.self, at: index)
      if difference != 0 { return index + difference.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < common, unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) == other.load(UInt8.self, at: index) {
      index += 1
    }
    return index
  }

  /// Where `needle` begins first, at or behind `start`; nil if nowhere.
  public func firstOffset(of needle: borrowing RawSpan, from start: Int = 0) -> Int? {
    guard start >= 0, needle.byteCount <= byteCount - start else { return nil }
    if needle.byteCount == 0 { return start }
    return unsafe withUnsafeBytes { hay in
      unsafe needle.withUnsafeBytes { needle in
        let base = hay.baseAddress!
        let found = unsafe anteroom_find(base + start, hay.count - start, needle.baseAddress!, needle.count)
        guard let found = unsafe found else { return nil }
        return unsafe found - base
      }
    }
  }

  /// Where the first zero is, at or behind `start`; nil without one.
  ///
  /// - Complexity: O(*n*), eight bytes at a time.
  public func firstZero(from start: Int = 0) -> Int? {
    var offset = start
    while offset <= byteCount - 8 {
      let word = load(UInt64.self, at: offset)
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return offset + zeros.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < byteCount {
      if load(UInt8.self, at: offset) == 0 { return offset }
      offset += 1
    }
    return nil
  }

  /// Whether every byte is one of ASCII's, and none is zero.
  ///
  /// - Complexity: O(*n*), eight bytes at a time.
  public var isASCIIWithoutZero: Bool {
    var offset = 0
    while offset <= byteCount - 8 {
      let word = load(UInt64.self, at: offset)
      // A byte's top bit is in one of them when it was set, or when the byte is below 1.
      if (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < byteCount {
      let byte = load(UInt8.self, at: offset)
      if byte == 0 || byte > 0x7F { return false }
      offset += 1
    }
    return true
  }

  /// The bytes, copied.
  public func copied() -> [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

  /// The bytes as text; what isn't UTF-8 becomes U+FFFD.
  public func decodedString() -> String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

extension ByteBuffer {
  /// Copies bytes in.
  @inlinable public func copy(_ bytes: borrowing RawSpan, at offset: Int) {
    check(offset, bytes.byteCount)
    if bytes.byteCount == 0 { return }
    unsafe bytes.withUnsafeBytes { unsafe (base + offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }
}

extension Array where Element == UInt8 {
  /// The order of the bytes, unsigned, a prefix before what it begins. - Returns: below, at or above 0.
  public func compareBytes(with other: [UInt8]) -> Int { span.raw.compare(other.span.raw) }

  /// Appends bytes.
  public mutating func append(contentsOf bytes: borrowing RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
