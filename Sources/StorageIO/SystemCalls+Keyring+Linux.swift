#if os(Linux) && !hasFeature(Embedded)
  import CSystem
  package import RawMemory

  /// A ring of the kernel's, as seen from the calling thread.
  package enum KeyringID: Int32, Sendable {
    case thread = -1
    case process = -2
    case session = -3
    case user = -4
  }

  /// The calls to the kernel's key rings, raw; tests override them. Each returns what the call returns, or `-errno`.
  package class KeyringCalls: @unchecked Sendable {
    package static let live = KeyringCalls()
    package static let payloadByteCountMax = 32767
    package static let noKey = ENOKEY
    package init() {}

    package func add(_ description: String, _ payload: ByteBuffer, _ range: Range<Int>, to ring: KeyringID) -> Int {
      unsafe payload.withUnsafeAddress(range) { bytes in
        unsafe description.withCString { result(unsafe anteroom_add_key($0, bytes, range.count, ring.rawValue)) }
      }
    }
    /// - Returns: the key.
    package func search(_ description: String, in ring: KeyringID) -> Int {
      unsafe description.withCString { result(unsafe anteroom_search_key(ring.rawValue, $0)) }
    }
    /// - Returns: how many bytes the payload has; those that fit are in the buffer.
    package func read(_ key: Int32, _ buffer: ByteBuffer) -> Int {
      unsafe buffer.withUnsafeAddress(0..<buffer.count) { result(unsafe anteroom_read_key(key, $0, buffer.count)) }
    }
    /// In one step, in place of a key of that description; when it is exclusive, `-EEXIST` if there is one.
    package func move(_ key: Int32, from ring: KeyringID, to target: KeyringID, isExclusive: Bool) -> Int {
      result(anteroom_move_key(key, ring.rawValue, target.rawValue, isExclusive))
    }
    package func unlink(_ key: Int32, from ring: KeyringID) -> Int { result(anteroom_unlink_key(key, ring.rawValue)) }
    package func setPermissions(_ key: Int32, _ permissions: UInt32) -> Int {
      result(anteroom_set_key_permissions(key, permissions))
    }

    /// Runs `body` on the thread that keeps this process's rings. - Returns: 0, or `-errno` when there can be no such thread.
    package func onKeyringThread(_ body: () -> Void) -> Int { KeyringThread.run(body) }
  }
#endif
