#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import ObjectStorage
  @testable import StorageIO

  @Suite struct CredentialsTests {
    private let place = TemporaryDirectory()
    private let key = Data(1...32)

    init() throws {
      place.write([UInt8](key), to: "encryptionKey")
      try setMode(place.path(of: "encryptionKey"), 0o440)
      try setMode(place.path, 0o550)
    }

    @Test func theEnvironmentNamesTheDirectory() throws {
      let path = place.path
      let named = StorageEnvironment(programName: "p") { $0 == "CREDENTIALS_DIRECTORY" ? path : nil }
      let store = CredentialsDirectorySecretStore(directory: nil, environment: named, system: .live)
      #expect(try store.data(forKey: "encryptionKey") == key)
      #expect(try store.data(forKey: "other") == nil)
      let unnamed = StorageEnvironment(programName: "p") { _ in nil }
      #expect(
        try CredentialsDirectorySecretStore(directory: nil, environment: unnamed, system: .live).data(forKey: "encryptionKey")
          == nil)
    }

    @Test func aDirectoryOfOnesOwn() throws {
      let store = CredentialsDirectorySecretStore(directory: URL(filePath: place.path))
      #expect(try store.data(forKey: "encryptionKey") == key)
      #expect(throws: SecretStoreError.invalidKey("../x")) { try store.data(forKey: "../x") }
      #expect(throws: SecretStoreError.readOnly) { try store.set(key, forKey: "k") }
      #expect(throws: SecretStoreError.readOnly) { try store.setIfAbsent(key, forKey: "k") }
      #expect(throws: SecretStoreError.readOnly) { try store.removeData(forKey: "k") }
    }

    @Test(arguments: [0o444, 0o464, 0o460]) func aLooseFileIsNotUsed(_ bits: Int) throws {
      try setMode(place.path(of: "encryptionKey"), bits)
      let store = CredentialsDirectorySecretStore(directory: URL(filePath: place.path))
      #expect(throws: SecretStoreError.insecurePermissions(path: place.path(of: "encryptionKey"), mode: UInt16(bits))) {
        try store.data(forKey: "encryptionKey")
      }
    }

    @Test(arguments: [0o555, 0o770]) func aLooseDirectoryIsNotUsed(_ bits: Int) throws {
      try setMode(place.path, bits)
      let store = CredentialsDirectorySecretStore(directory: URL(filePath: place.path))
      #expect(throws: SecretStoreError.insecurePermissions(path: place.path, mode: UInt16(bits))) {
        try store.data(forKey: "encryptionKey")
      }
    }
  }
#endif
