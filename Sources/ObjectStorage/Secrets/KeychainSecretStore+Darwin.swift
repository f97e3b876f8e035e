#if canImport(Security)
  public import Foundation
  import Security
  import StorageIO

  /// When the keychain gives a secret.
  public enum KeychainAccessibility: Sendable {
    /// While the device is unlocked; moves to a new device with a backup.
    case whenUnlocked
    /// While the device is unlocked.
    case whenUnlockedThisDeviceOnly
    /// From the first unlock after a start on; moves to a new device with a backup.
    case afterFirstUnlock
    /// From the first unlock after a start on.
    case afterFirstUnlockThisDeviceOnly

    fileprivate var attribute: CFString {
      switch self {
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      }
    }
  }

  /// Generic passwords in the keychain.
  ///
  /// A secret that can't be read before the first unlock is `errSecInteractionNotAllowed`, which a store reports as
  /// `StorageError.protectedData`.
  public struct KeychainSecretStore: SecretStore {
    /// The service that the keychain files the secrets under.
    public let service: String
    /// The access group; nil is the app's own.
    public let accessGroup: String?
    /// Of secrets that are stored from now on.
    public let accessibility: KeychainAccessibility

    /// Secrets of a service; nothing is looked at before the first call.
    public init(
      service: String = "anteroom.encryption", accessGroup: String? = nil,
      accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly
    ) {
      self.service = service
      self.accessGroup = accessGroup
      self.accessibility = accessibility
    }

    /// The value, or nil if there is none.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `keychain`.
    public func data(forKey key: String) throws -> Data? {
      var query = try query(key)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = KeychainCalls.copyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      try check(status)
      return result as? Data
    }

    /// Stores `data`, in place of what was there.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `keychain`.
    public func set(_ data: Data, forKey key: String) throws {
      // Another round only when somebody adds or removes the item in between.
      for _ in 0..<64 {
        let changes = [kSecValueData as String: data, kSecAttrAccessible as String: accessibility.attribute] as CFDictionary
        let status = SecItemUpdate(try query(key) as CFDictionary, changes)
        if status != errSecItemNotFound { return try check(status) }
        if try add(data, key) { return }
      }
      throw SecretStoreError.keychain(status: errSecDuplicateItem)
    }

    /// Stores `data` unless there is a value, as one step among all processes. - Returns: the value that is there afterwards.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `keychain`.
    public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data {
      for _ in 0..<64 {
        if let known = try self.data(forKey: key) { return known }
        if try add(data, key) { return data }
      }
      throw SecretStoreError.keychain(status: errSecDuplicateItem)
    }

    /// Removing what isn't there is no error.
    ///
    /// - Throws: ``SecretStoreError``: `invalidKey`, `keychain`.
    public func removeData(forKey key: String) throws {
      let status = SecItemDelete(try query(key) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    /// - Returns: false when there is an item already.
    private func add(_ data: Data, _ key: String) throws -> Bool {
      var attributes = try query(key)
      attributes[kSecValueData as String] = data
      attributes[kSecAttrAccessible as String] = accessibility.attribute
      let status = KeychainCalls.add(attributes as CFDictionary)
      if status == errSecDuplicateItem { return false }
      try check(status)
      return true
    }

    private func query(_ key: String) throws(SecretStoreError) -> [String: Any] {
      guard !key.isEmpty, !key.utf8.contains(0) else { throw .invalidKey(key) }
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: key,
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    private func check(_ status: OSStatus) throws(SecretStoreError) {
      if status != errSecSuccess { throw .keychain(status: status) }
    }
  }
#endif
