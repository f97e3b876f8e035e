extension FieldAccess {
  /// The word at `offset` of a value: to verify that a field, known by a copy of it, begins there.
  ///
  /// nil when a word isn't inside the value or the offset isn't aligned.
  @inlinable public static func word<Root>(of root: inout Root, at offset: Int) -> UInt? {
    guard offset >= 0, offset <= MemoryLayout<Root>.size - MemoryLayout<UInt>.size, offset % MemoryLayout<UInt>.alignment == 0 else {
      return nil
    }
    return unsafe withUnsafeBytes(of: &root) { unsafe $0.load(fromByteOffset: offset, as: UInt.self) }
  }
}
