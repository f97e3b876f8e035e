#if canImport(Security)
  package import Security

  /// The keychain's calls that take an address.
  package enum KeychainCalls {
    package static func copyMatching(_ query: CFDictionary, _ result: inout CFTypeRef?) -> OSStatus {
      unsafe SecItemCopyMatching(query, &result)
    }
    package static func add(_ attributes: CFDictionary) -> OSStatus { unsafe SecItemAdd(attributes, nil) }
  }
#endif
