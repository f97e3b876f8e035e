/// Writing a stored property of a value at a known offset, for what the language has no key path to.
@safe public enum FieldAccess {
  /// Lends the property that begins `offset` bytes into `root`; the caller knows that a `Field` is there.
  ///
  /// Bounds and alignment are checked; that the type is right is what the caller proved when it computed the offset.
  @inlinable public static func withField<Root, Field, R>(
    of root: inout Root, at offset: Int, as type: Field.Type, _ body: (inout Field) -> R
  ) -> R {
    precondition(offset >= 0 && offset <= MemoryLayout<Root>.size - MemoryLayout<Field>.size, "outside the value")
    precondition(offset % MemoryLayout<Field>.alignment == 0, "not aligned")
    return unsafe withUnsafeMutableBytes(of: &root) { bytes in
      unsafe body(&(bytes.baseAddress! + offset).assumingMemoryBound(to: Field.self).pointee)
    }
  }
}
