import Foundation
import TestSupport
import Testing

@testable import ObjectStorage
@testable import StorageIO

@Suite struct FileSecretStoreTests {
  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "secrets") }
  private var store: FileSecretStore { FileSecretStore(directory: URL(filePath: path)) }
  private let one = Data(1...32)
  private let two = Data(33...64)

  @Test func whatIsSetIsThere() throws {
    #expect(try store.data(forKey: "k") == nil)
    try store.removeData(forKey: "k")
    #expect(place.names.isEmpty)
    try store.set(one, forKey: "k")
    #expect(try store.data(forKey: "k") == one)
    try store.set(two, forKey: "k")
    #expect(try store.data(forKey: "k") == two)
    #expect(try store.setIfAbsent(one, forKey: "k") == two)
    try store.removeData(forKey: "k")
    #expect(try store.data(forKey: "k") == nil)
    #expect(try store.setIfAbsent(one, forKey: "k") == one)
    try store.set(Data(), forKey: "k")
    #expect(try store.data(forKey: "k") == Data())
  }

  @Test func filesAndDirectoriesArePrivate() throws {
    let nested = FileSecretStore(directory: URL(filePath: place.path(of: "a/secrets")))
    try nested.set(one, forKey: "s")
    #expect(try nested.setIfAbsent(one, forKey: "t") == one)
    #expect(place.names == ["a", "a/secrets", "a/secrets/s", "a/secrets/t"])
    for name in ["a", "a/secrets"] { #expect(try mode(place.path(of: name)) == 0o700) }
    for name in ["a/secrets/s", "a/secrets/t"] { #expect(try mode(place.path(of: name)) == 0o600) }
  }

  @Test(arguments: [0o701, 0o710, 0o720, 0o704, 0o755]) func aLooseDirectoryIsNotUsed(_ bits: Int) throws {
    try store.set(one, forKey: "k")
    try setMode(path, bits)
    let refused = SecretStoreError.insecurePermissions(path: path, mode: UInt16(bits))
    #expect(throws: refused) { try store.data(forKey: "k") }
    #expect(throws: refused) { try store.set(two, forKey: "k") }
    #expect(throws: refused) { try store.setIfAbsent(two, forKey: "l") }
    #expect(throws: refused) { try store.removeData(forKey: "k") }
    try setMode(path, 0o700)
    #expect(try store.data(forKey: "k") == one)
    #expect(place.names == ["secrets", "secrets/k"])
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o601]) func aLooseFileIsNotUsed(_ bits: Int) throws {
    try store.set(one, forKey: "k")
    try setMode(path + "/k", bits)
    let refused = SecretStoreError.insecurePermissions(path: path + "/k", mode: UInt16(bits))
    #expect(throws: refused) { try store.data(forKey: "k") }
    #expect(throws: refused) { try store.setIfAbsent(two, forKey: "k") }
    // Who stores a new one gets a file that nobody else could open.
    try store.set(two, forKey: "k")
    #expect(try mode(path + "/k") == 0o600)
  }

  @Test func tighterRightsAreFine() throws {
    try store.set(one, forKey: "k")
    try setMode(path + "/k", 0o400)
    try setMode(path, 0o500)
    #expect(try store.data(forKey: "k") == one)
  }

  @Test func anotherUsersFilesAreNotUsed() throws {
    try store.set(one, forKey: "k")
    let foreign = FileSecretStore(directory: URL(filePath: path), system: AnotherUser())
    #expect(throws: SecretStoreError.insecurePermissions(path: path, mode: 0o700)) { try foreign.data(forKey: "k") }
  }

  @Test func linksAreNotFollowed() throws {
    try store.set(one, forKey: "k")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/k")
    #expect(throws: SecretStoreError.system(call: "open", errno: ELOOP, path: path + "/link")) { try store.data(forKey: "link") }
    // A link is replaced, and not what it leads to.
    try store.set(two, forKey: "link")
    #expect(try store.data(forKey: "link") == two)
    #expect(try store.data(forKey: "k") == one)

    try files.createSymbolicLink(atPath: place.path(of: "other"), withDestinationPath: path)
    let other = FileSecretStore(directory: URL(filePath: place.path(of: "other")))
    let refused = SecretStoreError.system(call: "open", errno: ELOOP, path: place.path(of: "other"))
    #expect(throws: refused) { try other.data(forKey: "k") }
    #expect(throws: refused) { try other.set(two, forKey: "k") }
  }

  @Test func aDirectoryOrALongFileIsNoSecret() throws {
    try store.set(one, forKey: "k")
    try FileManager.default.createDirectory(atPath: path + "/d", withIntermediateDirectories: false)
    #expect(throws: SecretStoreError.system(call: "open", errno: EINVAL, path: path + "/d")) { try store.data(forKey: "d") }
    try store.set(Data(count: SecretFiles.byteCountMax + 1), forKey: "long")
    #expect(throws: SecretStoreError.system(call: "pread", errno: EFBIG, path: path + "/long")) { try store.data(forKey: "long") }
    place.write([], to: "file")
    let file = FileSecretStore(directory: URL(filePath: place.path(of: "file")))
    #expect(throws: SecretStoreError.system(call: "open", errno: ENOTDIR, path: place.path(of: "file"))) {
      try file.data(forKey: "k")
    }
  }

  @Test func leftoversOfDeadProcessesAreRemoved() throws {
    try store.set(one, forKey: "k")
    for name in ["secrets/.tmp-0000000000000001", "secrets/.tmp-x"] { place.write([9], to: name) }
    let living = try StorageFile(.live, path: path + "/.tmp-2", flags: O_RDWR | O_CREAT, isLockable: true)
    #expect(try living.tryLock())
    try store.set(two, forKey: "k")
    #expect(place.names == ["secrets", "secrets/.tmp-2", "secrets/k"])
    living.unlock()
    _ = try store.setIfAbsent(one, forKey: "l")
    #expect(place.names == ["secrets", "secrets/k", "secrets/l"])
  }

  @Test func namesOfFiles() throws {
    #expect(try SecretFileName.escaped("encryptionKey") == "encryptionKey")
    #expect(try SecretFileName.escaped("a.b_c-9") == "a.b_c-9")
    #expect(try SecretFileName.escaped("../x y") == "%2E.%2Fx%20y")
    #expect(try SecretFileName.escaped(".tmp-1") == "%2Etmp-1")
    #expect(try SecretFileName.escaped("%é") == "%25%C3%A9")
    for key in ["", "a\0", String(repeating: "a", count: 256), String(repeating: "é", count: 43)] {
      #expect(throws: SecretStoreError.invalidKey(key)) { try SecretFileName.escaped(key) }
      #expect(throws: SecretStoreError.invalidKey(key)) { try store.set(one, forKey: key) }
    }
    for key in ["", "a/b", ".", "..", "a\0"] {
      #expect(throws: SecretStoreError.invalidKey(key)) { try SecretFileName.verbatim(key) }
    }
    try store.set(one, forKey: "../x")
    #expect(place.names == ["secrets", "secrets/%2E.%2Fx"])
    #expect(try store.data(forKey: "../x") == one)
  }
}

/// A process of a user who owns nothing.
private final class AnotherUser: SystemCalls, @unchecked Sendable {
  override func effectiveUser() -> UInt32 { 4_000_000_000 }
}
