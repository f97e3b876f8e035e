import Foundation
import ObjectStorage
import TestSupport

/// A store in a temporary directory, written by the library with types that the tool doesn't know.
struct TestStore {
  let directory = TemporaryDirectory()
  let path: String

  struct Letter: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var conversation = ""
    @Persisted(indexed: true) var sentAt = 0
    @Persisted var text = ""
    @Persisted var note: String? = nil

    static let indexes: [StorageIndex<Letter>] = [.index(\.conversation, \.sentAt)]
  }
  struct Stamp: EmbeddedObject {
    @Persisted var country = ""
    @Persisted var value: Decimal = 0
  }
  struct Everything: StorageObject {
    @Persisted var flag = false
    @Persisted var small: Int8 = 0
    @Persisted var large: UInt64 = 0
    @Persisted var number = 0.0
    @Persisted var price: Decimal = 0
    @Persisted var bytes = Data()
    @Persisted var day: Date? = nil
    @Persisted var uuid: UUID? = nil
    @Persisted var stamp = Stamp()
    @Persisted var words: List<String> = []
    @Persisted var counts: Map<String, Int> = [:]
  }

  /// - Parameter count: how many letters.
  init(count: Int = 20, key: [UInt8]? = nil, _ more: @Sendable (inout WriteTransaction) throws -> Void = { _ in }) async throws {
    path = directory.path(of: "letters.store")
    let store = ObjectStore(configuration: Self.configuration(path, key))
    try await store.open()
    try await store.write { transaction in
      for index in 0..<count {
        try transaction.save(Letter(id: "l\(index)", conversation: "c\(index % 3)", sentAt: index, text: "text \(index)"))
      }
      try more(&transaction)
    }
    await store.close()
  }

  static func configuration(_ path: String, _ key: [UInt8]?) -> StorageConfiguration {
    StorageConfiguration(
      location: .file(URL(fileURLWithPath: path)), encryption: key.map { .key(Data($0)) } ?? .none,
      objectTypes: [Letter.self, Everything.self])
  }

  func keyFile(_ key: [UInt8]) throws -> String {
    directory.write(key, to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.path(of: "key"))
    return directory.path(of: "key")
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
  func replace(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// The directory with everything in it.
  func fingerprint() throws -> Fingerprint { try Fingerprint((path as NSString).deletingLastPathComponent) }

  static let storeVerbs: [(verb: String, arguments: [String])] = [
    ("info", []), ("stat", []), ("ls", []), ("get", ["Letter", "l3"]), ("schema", []), ("query", ["Letter", "sentAt > 5"]),
    ("explain", ["Letter", "sentAt > 5"]), ("count", ["Letter"]), ("versions", []), ("readers", []), ("verify", []), ("dump", []),
  ]
}
