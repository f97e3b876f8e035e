import Foundation
import ObjectStorage
import Testing

struct Item: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var tag = ""
  @Persisted var note: String? = nil
  @Persisted var group: Int? = nil
}
struct Account: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var mail: String? = nil
  static let indexes: [StorageIndex<Account>] = [.unique(\.mail)]
}

/// Faults of writing that users of comparable stores have met.
@Suite struct WritingFaultTests {
  @Test func B059ChangingTheFilteredPropertyInALoop() async throws {
    let bench = try await StoreBench([Item.self])
    try await bench.store.save((1...4).map { Item(id: $0) })
    let unset = DatabaseQuery<Item> { $0.group == nil }
    let visits = try await bench.store.write { transaction in
      var visits = 0
      for item in try transaction.objects(Item.self, matching: unset) {
        visits += 1
        try transaction.update(Item.self, id: item.id) { $0.group = 1 }
      }
      return visits
    }
    #expect(visits == 4)
    let (deleted, inserted) = try await bench.store.write { transaction in
      var deleted = 0
      for item in try transaction.objects(Item.self, matching: DatabaseQuery { $0.group == 1 }) {
        try transaction.delete(item)
        deleted += 1
      }
      try transaction.save((1...4).map { Item(id: $0) })
      var inserted = 0
      for item in try transaction.objects(Item.self, matching: unset) {
        try transaction.save(Item(id: item.id + 100))
        inserted += 1
      }
      return (deleted, inserted)
    }
    #expect(deleted == 4)
    #expect(inserted == 4)
    #expect(try await bench.store.count(Item.self) == 8)
    // The same through the store's own calls, and over results of a snapshot.
    #expect(try await bench.store.update(Item.self, matching: unset) { $0.group = 2 } == 8)
    for item in try await bench.store.objects(Item.self, where: { $0.group == 2 }) {
      try await bench.store.update(Item.self, id: item.id) { $0.group = 3 }
    }
    #expect(try await bench.store.count(Item.self, matching: DatabaseQuery { $0.group == 3 }) == 8)
    try await bench.check()
  }

  @Test func B090APartialUpsertKeepsTheRest() async throws {
    let bench = try await StoreBench([Item.self])
    try await bench.store.save(Item(id: 1, name: "J", tag: "x", note: "n"))
    var patch = Item()
    patch.id = 1
    patch.name = "B"
    try await bench.store.save(patch)
    var item = try #require(try await bench.store.object(Item.self, id: 1))
    #expect(item.name == "B" && item.tag == "x" && item.note == "n")
    patch = Item()
    patch.id = 1
    patch.note = nil
    try await bench.store.save(patch)
    item = try #require(try await bench.store.object(Item.self, id: 1))
    #expect(item.note == nil && item.name == "B" && item.tag == "x")
    try await bench.store.save(Item(id: 1, name: "Z"), update: .all)
    item = try #require(try await bench.store.object(Item.self, id: 1))
    #expect(item.tag.isEmpty && item.name == "Z")
    // A value that was read and saved writes what was assigned, and only that.
    try await bench.store.update(Item.self, id: 1) { $0.tag = "later" }
    item.name = "held"
    try await bench.store.save(item)
    #expect(try await bench.store.object(Item.self, id: 1)?.tag == "later")
  }

  @Test func B091SettingAPrimaryKey() async throws {
    let bench = try await StoreBench([Item.self])
    try await bench.store.save([Item(id: 1, name: "one"), Item(id: 2, name: "two")])
    try await bench.store.update(Item.self, id: 1) { $0.id = 1 }
    #expect(try await bench.store.object(Item.self, id: 1)?.name == "one")
    try await bench.store.update(Item.self, id: 1) { $0.id = 3 }
    #expect(try await bench.store.object(Item.self, id: 1) == nil)
    #expect(try await bench.store.object(Item.self, id: 3)?.name == "one")
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) {
      try await bench.store.update(Item.self, id: 3) { $0.id = 2 }
    }
    #expect(try await bench.store.object(Item.self, id: 3)?.name == "one")
    #expect(try await bench.store.object(Item.self, id: 2)?.name == "two")
    try await bench.check()
  }

  @Test func policies() async throws {
    let bench = try await StoreBench([Item.self])
    try await bench.store.save(Item(id: 1, name: "a"))
    try await bench.store.save(Item(id: 1, name: "b"), update: .insertIfAbsent)
    #expect(try await bench.store.object(Item.self, id: 1)?.name == "a")
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) {
      try await bench.store.save(Item(id: 1), update: .error)
    }
    await #expect(throws: StorageError.objectNotFound(type: "", id: "")) {
      try await bench.store.update(Item.self, id: 9) { $0.name = "" }
    }
  }

  @Test func uniqueIndexes() async throws {
    let bench = try await StoreBench([Account.self])
    try await bench.store.save([Account(id: 1, mail: "a"), Account(id: 2), Account(id: 3)])
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) {
      try await bench.store.save(Account(id: 4, mail: "a"))
    }
    #expect(try await bench.store.count(Account.self) == 3)
    try await bench.store.save(Account(id: 1, mail: "b"))
    try await bench.store.save(Account(id: 4, mail: "a"))
    try await bench.store.delete(Account.self, id: 4)
    try await bench.store.save(Account(id: 5, mail: "a"))
    try await bench.check()
  }

  @Test func B053LargeValues() async throws {
    struct Blob: IdentifiableStorage {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var text = ""
      @Persisted var data = Data()
    }
    for encryption in [StorageConfiguration.Encryption.none, .key(StoreTests.key)] {
      let bench = try await StoreBench([Blob.self], encryption: encryption)
      let text = String(repeating: "0123456789abcdef", count: 17 << 16)
      let data = Data(text.utf8.reversed())
      try await bench.store.save(Blob(id: 1, text: text, data: data))
      let again = try await bench.reopened()
      let held = try #require(try await again.object(Blob.self, id: 1))
      #expect(held.text == text && held.data == data)
      try await again.delete(Blob.self, id: 1)
      await again.close()
      // A value that was read stays readable.
      #expect(held.text.utf8.count == 17 << 20)
    }
  }
}
