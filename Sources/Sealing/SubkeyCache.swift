#if !hasFeature(Embedded)
  import RawMemory
  import Synchronization

  /// 16 random bytes: which open of an engine sealed a page.
  struct OpenID: Equatable {
    let low: UInt64
    let high: UInt64

    init(_ buffer: ByteBuffer, at offset: Int) {
      low = buffer.load(UInt64.self, at: offset)
      high = buffer.load(UInt64.self, at: offset + 8)
    }

    static func random() -> OpenID {
      let buffer = ByteBuffer(count: 16)
      var bytes = [UInt8](repeating: 0, count: 16)
      var span = bytes.mutableSpan
      CryptoLibrary.randomize(&span, count: 16)
      buffer.copy(bytes.span, at: 0)
      return OpenID(buffer, at: 0)
    }

    func store(to buffer: ByteBuffer, at offset: Int) {
      buffer.store(low, at: offset)
      buffer.store(high, at: offset + 8)
    }

    var bytes: [UInt8] {
      let buffer = ByteBuffer(count: 16)
      store(to: buffer, at: 0)
      return buffer.bytes(0..<16)
    }
  }

  /// The subkeys of the opens that were met last, each in guarded memory and wiped when the last user lets go.
  final class SubkeyCache: Sendable {
    static let countMax = 32

    fileprivate struct Entry {
      let id: OpenID
      let subkey: SecretBytes
      var lastUse: UInt64
    }
    fileprivate struct State {
      var entries: [Entry] = []
      /// Where the last one was found: most pages in a row come from one open.
      var recent = 0
      var uses: UInt64 = 0
    }
    private let root: SecretBytes
    private let state = Mutex(State())

    init(root: SecretBytes) { self.root = root }

    /// The subkey of an open; derived, in two microseconds and outside of the lock, unless it is here.
    func subkey(for id: OpenID) -> SecretBytes {
      if let found = state.withLock({ $0.subkey(for: id) }) { return found }
      var info = Array("anteroom store 1 page".utf8)
      info.append(contentsOf: id.bytes)
      let subkey = KeyDerivation.expand(root, info: info.span)
      return state.withLock { $0.insert(subkey, for: id) }
    }

    var count: Int { state.withLock { $0.entries.count } }
  }

  extension SubkeyCache.State {
    fileprivate mutating func subkey(for id: OpenID) -> SecretBytes? {
      if recent < entries.count, entries[recent].id == id { return use(recent) }
      for index in entries.indices where entries[index].id == id { return use(index) }
      return nil
    }

    private mutating func use(_ index: Int) -> SecretBytes {
      uses += 1
      recent = index
      entries[index].lastUse = uses
      return entries[index].subkey
    }

    /// In place of the one that was used longest ago. - Returns: what is kept: another thread may have been first.
    fileprivate mutating func insert(_ subkey: SecretBytes, for id: OpenID) -> SecretBytes {
      if let present = self.subkey(for: id) { return present }
      uses += 1
      let entry = SubkeyCache.Entry(id: id, subkey: subkey, lastUse: uses)
      if entries.count < SubkeyCache.countMax {
        entries.append(entry)
        recent = entries.count - 1
      } else {
        recent = entries.indices.min { entries[$0].lastUse < entries[$1].lastUse }!
        entries[recent] = entry
      }
      return subkey
    }
  }
#endif
