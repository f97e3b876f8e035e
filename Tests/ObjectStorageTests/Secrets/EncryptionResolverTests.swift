import Foundation
import Sealing
import StorageEngine
import Testing

@testable import ObjectStorage

@Suite struct EncryptionResolverTests {
  private func bytes(_ encryption: StorageConfiguration.Encryption, makes: Bool = false) throws -> [UInt8] {
    guard case .secret(let secret) = try EncryptionResolver.key(for: encryption, makesMissingSecret: makes) else { return [] }
    return secret.withBytes { span in span.indices.map { span[$0] } }
  }

  @Test func noKey() throws {
    guard case .none = try EncryptionResolver.key(for: .none, makesMissingSecret: true) else {
      Issue.record("a key")
      return
    }
  }

  @Test(arguments: [32, 64]) func keysOfARightLength(_ count: Int) throws {
    // A slice has indices of its own.
    let data = Data(0..<100)[10..<10 + count]
    #expect(try bytes(.key(data)) == [UInt8](data))
    let store = InMemorySecretStore()
    try store.set(data, forKey: "a")
    #expect(try bytes(.secret(store: store, account: "a")) == [UInt8](data))
    #expect(try bytes(.keychain(store: store, account: "a"), makes: true) == [UInt8](data))
  }

  @Test(arguments: [0, 1, 16, 31, 33, 63, 65, 1000]) func keysOfAWrongLength(_ count: Int) throws {
    let store = InMemorySecretStore()
    try store.set(Data(count: count), forKey: "encryptionKey")
    for encryption in [StorageConfiguration.Encryption.key(Data(count: count)), .secret(store: store)] {
      do {
        _ = try bytes(encryption)
        Issue.record("no error")
      } catch StorageError.encryptionKeyInvalidLength(let expected, let actual) {
        #expect(expected == 32 && actual == count)
      }
    }
  }

  @Test func aSecretIsMadeOnce() throws {
    let store = InMemorySecretStore()
    let made = try bytes(.secret(store: store), makes: true)
    #expect(made.count == 32 && Set(made).count > 4)
    #expect(try store.data(forKey: "encryptionKey") == Data(made))
    #expect(try bytes(.secret(store: store), makes: true) == made)
    #expect(try bytes(.secret(store: store), makes: false) == made)
    #expect(try bytes(.secret(store: store, account: "b"), makes: true) != made)
  }

  @Test func aFileThatIsThereNeverGetsANewSecret() throws {
    let store = InMemorySecretStore()
    #expect(throws: StorageError.secretUnavailable(account: "", underlying: MissingSecretError())) {
      try bytes(.secret(store: store))
    }
    #expect(try store.data(forKey: "encryptionKey") == nil)
  }

  @Test func aStoreForReadingOnlyGivesWhatItHas() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(1...32))
    try pipe.fileHandleForWriting.close()
    let store = FileDescriptorSecretStore(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(try bytes(.secret(store: store), makes: true) == [UInt8](1...32))
    let empty = FailingSecretStore(error: SecretStoreError.readOnly, readingFails: false)
    #expect(throws: StorageError.secretUnavailable(account: "", underlying: SecretStoreError.readOnly)) {
      try bytes(.secret(store: empty), makes: true)
    }
  }

  @Test(arguments: [true, false]) func whatAStoreThrowsIsPassedOn(_ makes: Bool) throws {
    let failure = SecretStoreError.insecurePermissions(path: "/p", mode: 0o644)
    do {
      _ = try bytes(.secret(store: FailingSecretStore(error: failure), account: "a"), makes: makes)
      Issue.record("no error")
    } catch StorageError.secretUnavailable(let account, let underlying) {
      #expect(account == "a" && underlying as? SecretStoreError == failure)
    }
    for error in [SecretStoreError.keychain(status: -25308), StorageError.protectedData] as [any Error] {
      #expect(throws: StorageError.protectedData) { try bytes(.secret(store: FailingSecretStore(error: error)), makes: makes) }
    }
  }

  @Test func passphrases() throws {
    guard
      case .passphrase(let text, let kibibytesMax) = try EncryptionResolver.key(for: .passphrase("pâss"), makesMissingSecret: false)
    else {
      Issue.record("no passphrase")
      return
    }
    #expect(text == Array("pâss".utf8) && kibibytesMax == 16 << 10)
    #expect(throws: StorageError.passphraseEmpty) {
      try EncryptionResolver.key(for: .passphrase(""), makesMissingSecret: true)
    }
  }

  @Test func threadsThatOpenAtOnceGetOneKey() async throws {
    let store = InMemorySecretStore()
    let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 { group.addTask { try bytes(.secret(store: store), makes: true) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
  }
}

/// Fails as it is told.
private struct FailingSecretStore: SecretStore {
  let error: any Error
  var readingFails = true
  func data(forKey key: String) throws -> Data? { if readingFails { throw error } else { nil } }
  func set(_ data: Data, forKey key: String) throws { throw error }
  func setIfAbsent(_ data: Data, forKey key: String) throws -> Data { throw error }
  func removeData(forKey key: String) throws { throw error }
}
