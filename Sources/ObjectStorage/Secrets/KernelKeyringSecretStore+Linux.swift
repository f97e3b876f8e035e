#if os(Linux)
  import RawMemory
  package import StorageIO

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// The kernel's key rings; gone with the session or the user's last process, as the ring says.
  ///
  /// The key's description in the ring is `anteroom:` and the key. Needs Linux 5.3 for writing; containers often forbid the calls, which is
  /// `SecretStoreError.system`.
  public struct KernelKeyringSecretStore: SecretStore {
    /// Whose ring, and with that how long secrets live.
    public enum Keyring: Sendable {
      /// Until the process ends.
      case process
      /// Until the login session's last process ends; of a process outside of a session its own.
      case session
      /// Until the user's last process ends. All processes of the user have them.
      case user
    }
    /// Whose ring.
    public let keyring: Keyring
    private let calls: KeyringCalls

    /// Secrets in a ring; nothing is looked at before the first call.
    public init(keyring: Keyring = .user) { self.init(keyring: keyring, calls: .live) }

    package init(keyring: Keyring, calls: KeyringCalls) {
      self.keyring = keyring
      self.calls = calls
    }

    /// The value, or nil if there is none.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `system`.
    public func data(forKey key: String) throws -> Data? {
      let description = try description(of: key)
      return try onKeyringThread { () throws(SecretStoreError) in
        guard let found = try search(description) else { return nil }
        let buffer = ByteBuffer(count: KeyringCalls.payloadByteCountMax)
        defer { buffer.zero(0..<buffer.count) }
        // Of a key that was taken away in between there is none.
        let count = calls.read(found, buffer)
        if count == -Int(KeyringCalls.noKey) { return nil }
        return Data(copying: buffer, 0..<(try check(count, "keyctl_read", description)))
      }
    }

    /// Stores `data`, in place of what was there, in one step.
    ///
    /// - Parameters:
    ///   - data: 1 to 32,767 bytes.
    ///   - key: the account.
    /// - Throws: ``SecretStoreError``: `invalidKey`, `system`.
    public func set(_ data: Data, forKey key: String) throws {
      let description = try description(of: key)
      _ = try onKeyringThread { () throws(SecretStoreError) in try add(data, description, isExclusive: false) }
    }

    /// Stores `data` unless there is a value, as one step among all processes. - Returns: the value that is there afterwards.
    ///
    /// - Parameters:
    ///   - data: 1 to 32,767 bytes.
    ///   - key: the account.
    /// - Throws: ``SecretStoreError``: `invalidKey`, `system`.
    public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data {
      let description = try description(of: key)
      // Another round only when somebody removes the key in between.
      for _ in 0..<64 {
        if let known = try self.data(forKey: key) { return known }
        let isAdded = try onKeyringThread { () throws(SecretStoreError) in try add(data, description, isExclusive: true) }
        if isAdded { return data }
      }
      throw SecretStoreError.system(call: "keyctl_move", errno: ErrorNumber.tryAgain, path: description)
    }

    /// Removing what isn't there is no error.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `system`.
    public func removeData(forKey key: String) throws {
      let description = try description(of: key)
      try onKeyringThread { () throws(SecretStoreError) in
        guard let found = try search(description) else { return }
        let result = calls.unlink(found, from: ring)
        if result != -Int(ErrorNumber.notFound) { try check(result, "keyctl_unlink", description) }
      }
    }
  }

  extension KernelKeyringSecretStore {
    private static let descriptionByteCountMax = 4095
    /// Everything, to who possesses the key and to the user's other processes, which possess none of the user's ring outside of a session.
    private static let permissionsOfUserKey: UInt32 = 0x3F3F_0000

    private var ring: KeyringID {
      switch keyring {
      case .process: .process
      case .session: .session
      case .user: .user
      }
    }

    private func description(of key: String) throws(SecretStoreError) -> String {
      let description = "anteroom:" + key
      guard !key.isEmpty, !key.utf8.contains(0), description.utf8.count <= Self.descriptionByteCountMax else {
        throw .invalidKey(key)
      }
      return description
    }

    private func onKeyringThread<R>(_ body: () throws(SecretStoreError) -> R) throws(SecretStoreError) -> R {
      var outcome: Result<R, SecretStoreError>?
      let code = calls.onKeyringThread {
        do throws(SecretStoreError) { outcome = .success(try body()) } catch { outcome = .failure(error) }
      }
      guard let outcome else { throw .system(call: "pthread_create", errno: Int32(-code), path: "") }
      return try outcome.get()
    }

    private func search(_ description: String) throws(SecretStoreError) -> Int32? {
      let result = calls.search(description, in: ring)
      if result == -Int(KeyringCalls.noKey) { return nil }
      return Int32(try check(result, "keyctl_search", description))
    }

    /// Makes the key where no other thread sees it, and moves it: a key that appears in the ring is whole, and adding one there directly
    /// would change one that is there already.
    ///
    /// - Returns: false when there is one already and `isExclusive` forbids to replace it.
    private func add(_ data: Data, _ description: String, isExclusive: Bool) throws(SecretStoreError) -> Bool {
      let buffer = ByteBuffer.holding(data)
      defer { buffer.zero(0..<buffer.count) }
      let key = Int32(try check(calls.add(description, buffer, 0..<data.count, to: .thread), "add_key", description))
      if keyring == .user {
        let code = calls.setPermissions(key, Self.permissionsOfUserKey)
        if code < 0 { _ = calls.unlink(key, from: .thread) }
        try check(code, "keyctl_setperm", description)
      }
      let code = calls.move(key, from: .thread, to: ring, isExclusive: isExclusive)
      if code < 0 { _ = calls.unlink(key, from: .thread) }
      if isExclusive, code == -Int(ErrorNumber.exists) { return false }
      try check(code, "keyctl_move", description)
      return true
    }

    @discardableResult
    private func check(_ result: Int, _ call: String, _ description: String) throws(SecretStoreError) -> Int {
      if result < 0 { throw .system(call: call, errno: Int32(-result), path: description) }
      return result
    }
  }
#endif
