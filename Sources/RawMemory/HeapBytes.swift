#if !hasFeature(Embedded)
  /// Bytes that never change, in one allocation, which goes with the last that refers to it: a row copied out of a page.
  @safe @frozen public struct HeapBytes: @unchecked Sendable {
    @usableFromInline let storage: Storage

    @usableFromInline final class Storage: ManagedBuffer<Int, UInt64> {}

    /// Copies the bytes of two places, one behind the other.
    public init(copying bytes: RawSpan, _ more: RawSpan) {
      let count = bytes.byteCount + more.byteCount
      let made = Storage.create(minimumCapacity: (count + 7) / 8) { _ in count }
      storage = unsafe unsafeDowncast(made, to: Storage.self)
      let base = unsafe base
      unsafe bytes.withUnsafeBytes { if $0.count > 0 { unsafe base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) } }
      unsafe more.withUnsafeBytes {
        if $0.count > 0 { unsafe (base + bytes.byteCount).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      }
    }

    /// Copies the bytes.
    public init(copying bytes: RawSpan) { self.init(copying: bytes, bytes.extracting(first: 0)) }

    /// Bytes.
    @inlinable public var count: Int { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

    @inlinable var base: UnsafeMutableRawPointer {
      unsafe storage.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    }

    /// All of them; they can't outlive the owner.
    @inlinable public var bytes: RawSpan {
      @_lifetime(borrow self) get { unsafe _overrideLifetime(RawSpan(_unsafeStart: base, byteCount: count), borrowing: self) }
    }

    /// Lends all of them.
    @inlinable public func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
      defer { withExtendedLifetime(storage) {} }
      return try body(unsafe RawSpan(_unsafeStart: base, byteCount: count))
    }
  }
#endif
