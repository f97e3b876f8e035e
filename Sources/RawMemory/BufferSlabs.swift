#if !hasFeature(Embedded)
  import CSystem
  import Synchronization

  /// Buffers of one size, cut from larger mappings where they are whole system pages: each takes just its size, and costs no zeroing.
  ///
  /// Any thread may ask. A mapping goes with the last buffer that was cut from it; the memory of each buffer goes at once.
  @safe public final class BufferSlabs: Sendable {
    private let byteCount: Int
    private let perSlabMax: Int
    private let isWhole: Bool
    /// The last mapping, and how many buffers were cut from it.
    private struct Rest {
      var slab: Mapping?
      var count = 2
      var used = 2
    }
    private let rest = Mutex<Rest>(Rest())

    /// - Parameters:
    ///   - byteCount: of a buffer.
    ///   - perSlabMax: how many are mapped together at most; the first time 4, then twice as many each time.
    public init(byteCount: Int, perSlabMax: Int) {
      self.byteCount = byteCount
      self.perSlabMax = perSlabMax
      isWhole = byteCount % sysconf(Int32(_SC_PAGESIZE)) == 0
    }

    /// A buffer of zeros.
    public func make() -> ByteBuffer {
      // Of a part of a system page the system can't take back the memory without the neighbours'.
      if !isWhole { return ByteBuffer(count: byteCount) }
      return rest.withLock { rest in
        let slab: Mapping
        if let known = rest.slab, rest.used < rest.count {
          slab = known
        } else {
          let count = min(rest.count * 2, perSlabMax)
          slab = Mapping.anonymous(count: byteCount * count, isPopulated: true)
          rest = Rest(slab: slab, count: count, used: 0)
        }
        let start = rest.used * byteCount
        rest.used += 1
        return ByteBuffer(of: slab, start..<start + byteCount)
      }
    }
  }
#endif
