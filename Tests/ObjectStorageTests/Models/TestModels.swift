import FoundationEssentials
import RawMemory

@testable import ObjectStorage

enum Status: String, PersistableEnum { case draft, sent, read }
enum Priority: Int, PersistableEnum { case low, high }
/// What a later build has made of `Status`.
enum LaterStatus: String, PersistableEnum { case draft, sent, read, recalled }

struct Address: EmbeddedObject, Equatable {
  @Persisted var street = "Main St"
  @Persisted var number: Int? = nil
  @Persisted var tags: MutableSet<String> = []

  static func == (a: Address, b: Address) -> Bool { a.street == b.street && a.number == b.number && a.tags == b.tags }
}

/// Every kind of property, and every one as an optional.
struct Everything: StorageObject {
  @Persisted var bool = false
  @Persisted var int = 0
  @Persisted var int8: Int8 = 0
  @Persisted var int16: Int16 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int64: Int64 = 0
  @Persisted var uint: UInt = 0
  @Persisted var uint8: UInt8 = 0
  @Persisted var uint16: UInt16 = 0
  @Persisted var uint32: UInt32 = 0
  @Persisted var uint64: UInt64 = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.5
  @Persisted var decimal: Decimal = 0
  @Persisted var text = ""
  @Persisted var data = Data()
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  @Persisted var status: Status = .draft
  @Persisted var priority: Priority
  @Persisted var anyBool: Bool?
  @Persisted var anyInt: Int?
  @Persisted var anyInt8: Int8?
  @Persisted var anyUInt16: UInt16?
  @Persisted var anyFloat: Float?
  @Persisted var anyDouble: Double?
  @Persisted var anyDecimal: Decimal?
  @Persisted var anyText: String?
  @Persisted var anyData: Data?
  @Persisted var anyDate: Date?
  @Persisted var anyUUID: UUID?
  @Persisted var anyStatus: Status?
  @Persisted var anyPriority: Priority?
  @Persisted var address = Address()
  @Persisted var oldAddress: Address?
  @Persisted var addresses: List<Address> = []
  @Persisted var scores: PersistedList<Int> = []
  @Persisted var names: PersistedList<String> = []
  @Persisted var optionals: List<Double?> = []
  @Persisted var optionalNames: List<String?> = []
  @Persisted var tags: Set<String> = []
  @Persisted var numbers: MutableSet<Int16> = []
  @Persisted var statuses: MutableSet<Status> = []
  @Persisted var attributes: Map<String, Int> = [:]
  @Persisted var notes: Map<String, String?> = [:]
}

/// Twelve fields, of the kinds that most models have.
struct Person: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var firstName = ""
  @Persisted var lastName = ""
  @Persisted var age = 0
  @Persisted var height = 0.0
  @Persisted var isActive = true
  @Persisted var createdAt = Date()
  @Persisted var updatedAt: Date? = nil
  @Persisted var token = UUID()
  @Persisted var status: Status = .draft
  @Persisted var nickname: String? = nil
  @Persisted(fullText: true) var about = ""
  static let indexes: [StorageIndex<Person>] = [.index(\.lastName, \.age), .unique(\.nickname)]
}

/// A store's way with rows, without a store.
struct RowBench<E: StorageObject> {
  let model: ModelDescription
  let schema: TypeSchema
  let mapping: RowMapping

  init(_ type: E.Type = E.self, schema: TypeSchema? = nil) throws {
    model = try ModelDescription.of(type)
    self.schema = try schema ?? TypeSchema(model, typeID: 7)
    mapping = RowMapping(model: model, schema: self.schema)
  }

  func bytes(_ object: E) throws -> [UInt8] { try RowWriter(mapping).encode(object) }
  func read(_ bytes: [UInt8], key: [UInt8] = [1]) throws(RowError) -> E {
    let row = try bytes.withRawSpan { (bytes) throws(RowError) in
      try key.withRawSpan { (key) throws(RowError) in try Row(copying: bytes, key: key, mapping: mapping) }
    }
    return model.materialize(E.self, row: row)
  }
  func roundTrip(_ object: E) throws -> E { try read(bytes(object)) }
  /// What saving with `.modified` writes over a row.
  func patched(_ bytes: [UInt8], with object: E) throws -> [UInt8] {
    let changed = model.changedProperties(of: object)
    return try bytes.withRawSpan { try RowWriter(mapping).encode(object, over: $0, properties: changed) }
  }
  func changed(_ object: E) throws -> [String] { model.changedProperties(of: object).map { model.properties[$0].name } }
}
