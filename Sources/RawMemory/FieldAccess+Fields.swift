extension FieldAccess {
  /// Lends, one after another, the properties of one type that begin at these offsets; the caller knows that they are there.
  @inlinable public static func withFields<Root, Field>(
    of root: inout Root, at offsets: [Int], as type: Field.Type, _ body: (Int, inout Field) -> Void
  ) {
    unsafe withUnsafeMutableBytes(of: &root) { bytes in
      for index in offsets.indices {
        let offset = offsets[index]
        precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<Field>.size, "outside the value")
        precondition(offset % MemoryLayout<Field>.alignment == 0, "not aligned")
        unsafe body(index, &(bytes.baseAddress! + offset).assumingMemoryBound(to: Field.self).pointee)
      }
    }
  }

  /// Copies out, one after another, the properties of one type that begin at these offsets; the value itself isn't copied.
  @inlinable public static func forEachField<Root, Field>(
    of root: borrowing Root, at offsets: [Int], as type: Field.Type, _ body: (Field) -> Void
  ) {
    unsafe withUnsafeBytes(of: root) { bytes in
      for offset in offsets {
        precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<Field>.size, "outside the value")
        precondition(offset % MemoryLayout<Field>.alignment == 0, "not aligned")
        unsafe body((bytes.baseAddress! + offset).assumingMemoryBound(to: Field.self).pointee)
      }
    }
  }

  /// The word at `offset` of a value: to verify that a field, known by a copy of it, begins there.
  ///
  /// nil when a word isn't inside the value or the offset isn't aligned.
  @inlinable public static func word<Root>(of root: inout Root, at offset: Int) -> UInt? {
    guard offset >= 0, offset <= MemoryLayout<Root>.size - MemoryLayout<UInt>.size, offset % MemoryLayout<UInt>.alignment == 0
    else {
      return nil
    }
    return unsafe withUnsafeBytes(of: &root) { unsafe $0.load(fromByteOffset: offset, as: UInt.self) }
  }
}
