#if os(Linux)
  import Foundation
  import RawMemory
  import TestSupport
  import Testing

  @testable import ObjectStorage
  @testable import StorageIO

  /// Containers often forbid the calls.
  private let isAllowed: Bool = {
    let store = KernelKeyringSecretStore(keyring: .user)
    let key = "test-" + UUID().uuidString
    defer { try? store.removeData(forKey: key) }
    return (try? store.set(Data([1]), forKey: key)) != nil
  }()

  @Suite(.serialized, .enabled(if: isAllowed)) struct KeyringTests {
    private let key = "test-" + UUID().uuidString
    private let one = Data(1...32)
    private let two = Data(33...64)

    @Test(arguments: [KernelKeyringSecretStore.Keyring.process, .session, .user])
    func whatIsSetIsThere(_ keyring: KernelKeyringSecretStore.Keyring) throws {
      let store = KernelKeyringSecretStore(keyring: keyring)
      defer { try? store.removeData(forKey: key) }
      #expect(try store.data(forKey: key) == nil)
      try store.removeData(forKey: key)
      #expect(try store.setIfAbsent(one, forKey: key) == one)
      #expect(try store.setIfAbsent(two, forKey: key) == one)
      #expect(try store.data(forKey: key) == one)
      try store.set(two, forKey: key)
      #expect(try store.data(forKey: key) == two)
      try store.removeData(forKey: key)
      #expect(try store.data(forKey: key) == nil)
    }

    /// The kernel has a process ring for each thread that asked for one; here it is the process's.
    @Test func theRingOutlivesTheThreadThatUsedItFirst() throws {
      let store = KernelKeyringSecretStore(keyring: .process)
      defer { try? store.removeData(forKey: key) }
      let (key, one) = (key, one)
      for round in 0..<4 {
        let done = DispatchSemaphore(value: 0)
        Thread {
          if round == 0 { try? store.set(one, forKey: key) }
          #expect((try? store.data(forKey: key)) == one)
          done.signal()
        }.start()
        done.wait()
      }
      #expect(try store.data(forKey: key) == one)
    }

    @Test func threadsRace() async throws {
      for keyring in [KernelKeyringSecretStore.Keyring.process, .session, .user] {
        let store = KernelKeyringSecretStore(keyring: keyring)
        defer { try? store.removeData(forKey: key) }
        let key = key
        let values = try await withThrowingTaskGroup(of: Data.self) { group in
          for index in 1...16 {
            group.addTask { try store.setIfAbsent(Data(repeating: UInt8(index), count: 32), forKey: key) }
          }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(values.count == 1)
      }
    }

    @Test func processesRace() async throws {
      let place = TemporaryDirectory()
      let prefix = key
      await withTaskGroup { group in
        for index in 1...3 {
          let path = place.path
          group.addTask {
            await #expect(processExitsWith: .success) { [path = path as String, index = index as Int, prefix = prefix as String] in
              RacingProcess(path: path, index: index, of: 3).run(
                PrefixedSecretStore(prefix: prefix, store: KernelKeyringSecretStore()))
            }
          }
        }
      }
      let store = PrefixedSecretStore(prefix: prefix, store: KernelKeyringSecretStore())
      try RacingProcess.check(place, of: 3, store)
      for round in 0..<RacingProcess.roundCount { try store.removeData(forKey: "k\(round)") }
    }

    @Test func keysThatCanNotBe() {
      let store = KernelKeyringSecretStore()
      for key in ["", "a\0", String(repeating: "a", count: 4090)] {
        #expect(throws: SecretStoreError.invalidKey(key)) { try store.data(forKey: key) }
      }
      #expect(throws: SecretStoreError.system(call: "add_key", errno: EINVAL, path: "anteroom:\(key)")) {
        try store.set(Data(), forKey: key)
      }
    }
  }

  @Suite struct KeyringFaultTests {
    /// What a container's filter answers.
    @Test func aKernelThatForbidsItIsAnError() {
      let store = KernelKeyringSecretStore(keyring: .user, calls: ForbiddenKeyrings())
      #expect(throws: SecretStoreError.system(call: "keyctl_search", errno: EPERM, path: "anteroom:k")) {
        try store.data(forKey: "k")
      }
      #expect(throws: SecretStoreError.system(call: "add_key", errno: EPERM, path: "anteroom:k")) {
        try store.set(Data([1]), forKey: "k")
      }
    }
  }

  private final class ForbiddenKeyrings: KeyringCalls, @unchecked Sendable {
    override func add(_ description: String, _ payload: ByteBuffer, _ range: Range<Int>, to ring: KeyringID) -> Int { -Int(EPERM) }
    override func search(_ description: String, in ring: KeyringID) -> Int { -Int(EPERM) }
  }

  /// Keeps the secrets of a test apart in a ring that all processes share.
  private struct PrefixedSecretStore: SecretStore {
    let prefix: String
    let store: KernelKeyringSecretStore
    func data(forKey key: String) throws -> Data? { try store.data(forKey: prefix + key) }
    func set(_ data: Data, forKey key: String) throws { try store.set(data, forKey: prefix + key) }
    func setIfAbsent(_ data: Data, forKey key: String) throws -> Data { try store.setIfAbsent(data, forKey: prefix + key) }
    func removeData(forKey key: String) throws { try store.removeData(forKey: prefix + key) }
  }
#endif
