import Foundation
import ObjectStorage
import StorageEngine
import TestSupport
import Testing

/// A message as the example has it.
struct Message: IdentifiableStorage, Equatable {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var conversationID = ""
  @Persisted var text = ""
  @Persisted var sentAt: Date? = nil
  @Persisted var isRead = false
  @Persisted var size = 0
  static let indexes: [StorageIndex<Message>] = [.index(\.conversationID, \.sentAt), .index(\.sentAt)]
  static func == (a: Message, b: Message) -> Bool {
    a.id == b.id && a.conversationID == b.conversationID && a.text == b.text && a.sentAt == b.sentAt && a.isRead == b.isRead
      && a.size == b.size
  }
}

/// A store in a directory of its own; verified by `check`.
struct StoreBench {
  let directory = TemporaryDirectory()
  var configuration: StorageConfiguration
  let store: ObjectStore

  init(_ types: [any StorageObject.Type] = [Message.self], encryption: StorageConfiguration.Encryption = .none) async throws {
    configuration = StorageConfiguration(
      location: .directory(URL(filePath: directory.path)), encryption: encryption, objectTypes: types)
    store = ObjectStore(configuration: configuration)
    try await store.open()
  }

  /// The same file, opened anew.
  func reopened() async throws -> ObjectStore {
    await store.close()
    let again = ObjectStore(configuration: configuration)
    try await again.open()
    return again
  }

  func check(_ store: ObjectStore? = nil) async throws {
    let report = try await (store ?? self.store).verify()
    #expect(report.isClean, "\(report.problems)")
  }

  static func messages(_ count: Int) -> [Message] {
    (0..<count).map { index in
      Message(
        id: "m\(index)", conversationID: "c\(index % 10)", text: "text of message \(index)",
        sentAt: Date(timeIntervalSinceReferenceDate: Double(index)), isRead: index % 3 == 0, size: index)
    }
  }
}
