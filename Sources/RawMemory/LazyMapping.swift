#if !hasFeature(Embedded)
  import Synchronization

  /// A place for a mapping that is made when it is first needed and then stays as long as the place: any thread reads through it without a
  /// lock.
  @safe public final class LazyMapping: @unchecked Sendable {
    /// Where the mapping is; 0 as long as there is none. Stored last.
    private let address = Atomic<UInt>(0)
    private let mapping = Mutex<Mapping?>(nil)
    /// Stored before the address, and once.
    private let byteCount = Atomic<Int>(0)

    /// A place without a mapping.
    public init() {}

    /// The bytes of the mapping; nil as long as there is none, and for a range outside of it.
    ///
    /// The view doesn't retain the mapping, so that threads which read the same pages share no counter: who holds it holds the place.
    public func view(_ start: Int, _ count: Int) -> ByteView? {
      guard let base = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
      guard start >= 0, count >= 0, start <= byteCount.load(ordering: .relaxed) - count else { return nil }
      return unsafe ByteView(base: base + start, count: count, owner: nil)
    }

    /// Whether there is a mapping.
    public var isMapped: Bool { address.load(ordering: .acquiring) != 0 }

    /// Keeps what `make` returns, unless another thread was first.
    public func fill<E: Error>(_ make: () throws(E) -> Mapping) throws(E) {
      try mapping.withLock { mapping throws(E) in
        if mapping != nil { return }
        let made = try make()
        mapping = made
        byteCount.store(made.count, ordering: .relaxed)
        address.store(UInt(bitPattern: unsafe made.address), ordering: .releasing)
      }
    }
  }
#endif
