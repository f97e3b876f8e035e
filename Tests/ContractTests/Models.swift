import Anteroom
import Foundation

// What an app writes, with Anteroom and Foundation alone imported, and without access to what is the package's own.

enum Shelf: String, PersistableEnum { case fiction, science, children }
enum Grade: Int, PersistableEnum { case poor = 1, fair, fine }

struct Publisher: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var cities: MutableSet<String> = []
}

/// Every kind of property.
struct Book: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted(indexed: true) var title = ""
  @Persisted var subtitle: String? = nil
  @Persisted var pages = 0
  @Persisted var volume: Int8 = 1
  @Persisted var year: Int16 = 0
  @Persisted var stock: Int32 = 0
  @Persisted var sold: Int64 = 0
  @Persisted var copies: UInt = 0
  @Persisted var colour: UInt8 = 0
  @Persisted var code: UInt16 = 0
  @Persisted var crc: UInt32 = 0
  @Persisted var barcode: UInt64 = 0
  @Persisted var weight: Float = 0
  @Persisted var score: Double? = nil
  @Persisted var price: Decimal = 0
  @Persisted var cover = Data()
  @Persisted var printedAt = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var soldAt: Date? = nil
  @Persisted var edition: UUID? = nil
  @Persisted var isLent = false
  @Persisted var shelf: Shelf = .fiction
  @Persisted var grade: Grade? = nil
  @Persisted var publisher = Publisher()
  @Persisted var reprinter: Publisher? = nil
  @Persisted var imprints: List<Publisher> = []
  @Persisted var ratings: PersistedList<Int> = []
  @Persisted var measures: List<Double?> = []
  @Persisted var keywords: Set<String> = []
  @Persisted var languages: MutableSet<String> = []
  @Persisted var counts: Map<String, Int> = [:]

  static let indexes: [StorageIndex<Book>] = [.index(\.shelf, \.printedAt), .unique(\.barcode)]
}

/// Without defaults, so with an `init()` of its own; under another name in the file.
struct Loan: IdentifiableStorage {
  @Persisted(primaryKey: true) var id: String
  @Persisted var reader: String
  @Persisted var dueAt: Date?

  static var storageName: String { "Lending" }

  init() {}
  init(book: String, reader: String) {
    self.init()
    id = CompoundID.make(book, reader)
    self.reader = reader
  }
}

/// Without a primary key.
struct Visit: StorageObject {
  @Persisted var minutes = 0
}

/// A directory that goes with its last user.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "anteroom-\(UUID().uuidString)")
  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  func configuration(_ change: (inout StorageConfiguration) -> Void = { _ in }) -> StorageConfiguration {
    var configuration = StorageConfiguration(
      location: .directory(url), fileName: "library", schemaVersion: 1, encryption: .none,
      objectTypes: [Book.self, Loan.self, Visit.self])
    change(&configuration)
    return configuration
  }
  func store(_ change: (inout StorageConfiguration) -> Void = { _ in }) async throws -> ObjectStore {
    let store = ObjectStore(configuration: configuration(change))
    try await store.open()
    return store
  }
}
