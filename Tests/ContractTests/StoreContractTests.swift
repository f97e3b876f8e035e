import Anteroom
import Foundation
import Testing

/// Writing, reading, and looking after a store, as apps call them.
@Suite struct StoreContractTests {
  @Test func writing() async throws {
    struct Refused: Error {}
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let store = try await folder.store()
    let first = Book(title: "Emma", pages: 400, volume: 2, barcode: 1, shelf: .fiction, ratings: [4, 5])
    try await store.save(first)
    try await store.save([Book(title: "Optics", barcode: 2, shelf: .science), Book(title: "Max", barcode: 3)], update: .modified)
    for policy in [UpdatePolicy.modified, .all, .insertIfAbsent] { try await store.save(first, update: policy) }
    await #expect(throws: StorageError.duplicateKey(type: "", property: "", values: [])) {
      try await store.save(first, update: .error)
    }
    try await store.save(building: { transaction in
      Loan(book: try transaction.first(Book.self)?.title ?? "", reader: "Ada")
    })
    try await store.save(update: .all, building: { _ in Loan(book: "Max", reader: "Bea") })
    try await store.update(Book.self, id: first.id) { $0.pages += 1 }
    let changed: Int = try await store.update(Book.self, matching: DatabaseQuery { $0.pages > 100 }.limited(to: 5)) {
      $0.isLent = true
    }
    #expect(changed == 1)
    let count: Int = try await store.write { transaction in
      guard var book = try transaction.object(Book.self, id: first.id) else { throw Refused() }
      book.ratings.append(3)
      try transaction.save(book)
      try transaction.save([Visit(), Visit()], update: .insertIfAbsent)
      try transaction.update(Book.self, id: book.id) { $0.stock = 4 }
      try transaction.update(Book.self, matching: DatabaseQuery { $0.isLent }) { $0.isLent = false }
      try transaction.delete(Loan.self, id: "nothing")
      try transaction.delete(Loan.self, matching: DatabaseQuery { $0.reader == "Bea" })
      try transaction.delete(Loan(book: "a", reader: "b"))
      _ = transaction.version
      return try transaction.objects(Book.self) { $0.pages > 0 }.count + transaction.count(Visit.self)
    }
    #expect(count == 3)
    await #expect(throws: Refused.self) {
      try await store.write { transaction in
        try transaction.deleteAll()
        throw Refused()
      }
    }
    #expect(try await store.delete(Loan.self, matching: DatabaseQuery()) == 1)
    #expect(try await store.delete(Book.self, id: UUID()) == false)
    #expect(try await store.deleteAll(Visit.self) == 2)
    // Of a value that is saved over a row: what was assigned.
    var patch = Book()
    patch.id = first.id
    patch.subtitle = "A Novel"
    #expect(patch.$subtitle.isAssigned && !patch.$title.isAssigned && !patch.$shelf.hasUnknownRawValue)
    patch.barcode = 1
    try await store.save(patch)
    #expect(try await store.object(Book.self, id: first.id)?.title == "Emma")
    try await store.deleteAll()
    #expect(try await store.count(Book.self) == 0)
  }

  @Test func reading() async throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let store = try await folder.store()
    let books = (0..<10).map { Book(title: "book \($0)", pages: $0, barcode: UInt64($0), score: $0 == 0 ? nil : Double($0)) }
    try await store.save(books)
    let all: StorageResults<Book> = try await store.all(Book.self)
    let version: StorageVersion = try await store.currentVersion()
    #expect(all.count == 10 && !all.isDamaged && all.version == version)
    #expect(try all.array().count == 10 && all.element(at: 0).id == all[0].id)
    let some = try await store.objects(Book.self, ids: [books[3].id, UUID(), books[1].id])
    #expect(some.map(\.pages) == [3, 1])
    let query = DatabaseQuery<Book> { $0.pages >= 5 }.sorted(by: \.pages)
    #expect(try await store.objects(Book.self, matching: query).map(\.pages) == [5, 6, 7, 8, 9])
    #expect(try await store.objects(Book.self) { $0.pages >= 5 }.count == 5)
    #expect(try await store.objects(Book.self, matching: query) { $0.title }.first == "book 5")
    #expect(try await store.first(Book.self, matching: query)?.pages == 5)
    #expect(try await store.last(Book.self, matching: query)?.pages == 9)
    #expect(try await store.contains(Book.self, matching: query))
    let sum: Int = try await store.sum(Book.self, of: \.pages, matching: query)
    let unsigned: UInt = try await store.sum(Book.self, of: \.barcode)
    let average: Double? = try await store.average(Book.self, of: \.score)
    let price: Decimal? = try await store.average(Book.self, of: \.price)
    let latest: Date? = try await store.max(Book.self, of: \.soldAt)
    let least: Double? = try await store.min(Book.self, of: \.score)
    #expect(sum == 35 && unsigned == 45 && average == 5 && price == 0 && latest == nil && least == 1)
    for group: StorageGroup<Shelf, Book> in try await store.groups(Book.self, by: \.shelf) {
      #expect(group.key == .fiction && group.results.count == 10)
    }
    let (count, talks) = try await store.snapshot { snapshot in
      (try snapshot.count(Book.self), try snapshot.objects(Loan.self) { $0.reader == "x" }.count)
    }
    #expect(count == 10 && talks == 0)
    let snapshot: StorageSnapshot = try await store.snapshot()
    try await store.deleteAll(Book.self)
    #expect(try snapshot.all(Book.self).count == 10 && snapshot.sum(Book.self, of: \.pages) == 45)
    #expect(try snapshot.groups(Book.self, by: \.pages).count == 10 && snapshot.average(Book.self, of: \.pages) == 4.5)
    #expect(try snapshot.min(Book.self, of: \.pages) == 0 && snapshot.max(Book.self, of: \.pages) == 9)
    let found = try #require(try snapshot.object(Book.self, id: books[4].id))
    let held: Book = try found.detached()
    #expect(try held.pages == 4 && snapshot.objects(Book.self, ids: [held.id]).count == 1)
    let page = try snapshot.objects(Book.self, matching: query.limited(to: 2))
    let cursor: StorageCursor = try page.cursor(at: 1)
    #expect(try snapshot.objects(Book.self, matching: query.after(cursor).offset(by: 1)).map(\.pages) == [8, 9])
    let plan: QueryPlan = try await store.explain(query)
    #expect(
      plan.filters.count == 1 && plan.indexName == nil && plan.range == nil && !plan.isSortedByIndex && !plan.description.isEmpty)
    #expect(plan.examinedRowCount == 0 && plan.returnedRowCount == 0)
  }

  @Test func maintenance() async throws {
    let folder = try Folder()
    let store = try await folder.store()
    try await store.save((0..<100).map { Book(title: "\($0)", barcode: UInt64($0)) })
    try await store.writeCopy(to: folder.url.appending(path: "plain.store"))
    try await store.writeCopy(to: folder.url.appending(path: "sealed.store"), encryptionKey: Data(repeating: 1, count: 32))
    try await store.backup(to: folder.url.appending(path: "backup.store")) { _ = $0.completedUnitCount }
    try await store.backup(to: folder.url.appending(path: "another.store"))
    try await store.compact()
    try await store.compact { _ = $0.totalUnitCount }
    let report: VerificationReport = try await store.verify()
    #expect(report.isClean && report.problems.isEmpty && report.notes.isEmpty && report.checkedPageCount > 0)
    let salvage: SalvageReport = try await store.salvage(to: folder.url.appending(path: "saved.store"))
    #expect(salvage.savedObjectCounts["Book"] == 100 && salvage.lostRanges.isEmpty)
    let dry: MigrationReport = try await store.dryRunMigration()
    #expect(dry.fromVersion == dry.toVersion && dry.differences.isEmpty && dry.copy == nil && dry.changedObjectCount == 0)
    let statistics: StorageStatistics = try await store.statistics()
    #expect(statistics.fileByteCount > 0 && statistics.usedByteCount > 0 && statistics.objectCounts["Book"] == 100)
    let version = try await store.currentVersion()
    #expect(statistics.pageCacheByteCount >= 0 && statistics.version == version)
    for pinned: PinnedVersion in statistics.pinnedVersions {
      _ = (pinned.version, pinned.processID, pinned.age, pinned.heldByteCount)
    }
    #expect(try await store.fileSize() ?? 0 > 0)
    store.suspend()
    await #expect(throws: StorageError.suspended) { try await store.save(Visit()) }
    try store.resume()
    try await store.reset()
    #expect(try await store.count(Book.self) == 0)
    await store.close()
    await #expect(throws: StorageError.storeNotOpen) { try await store.count(Book.self) }
    let decoded = try JSONDecoder().decode(StorageVersion.self, from: try JSONEncoder().encode(version))
    #expect(decoded == version && !(decoded < version) && Set([decoded, version]).count == 1)
  }

  @Test func collectionsAreCollections() {
    var list: List<Int> = [3, 1, 2]
    list.append(4)
    list[0] = 9
    list.replaceSubrange(1..<2, with: [7, 8])
    list.sort()
    #expect(list == PersistedList([2, 4, 7, 8, 9]) && list.startIndex == 0 && list.endIndex == 5)
    var set: MutableSet<String> = ["a"]
    #expect(set.insert("b") && !set.insert("a") && set.remove("b") && set.contains("a") && set.count == 1 && set[0] == "a")
    #expect(PersistedSet(["a", "a"]).count == 1)
    var map: Map<String, Int> = ["b": 2, "a": 1]
    map["c"] = 3
    #expect(
      map.removeValue(forKey: "b") == 2 && map.keys == ["a", "c"] && map.values == [1, 3] && map[0].key == "a" && map["z"] == nil)
    let id = CompoundID.make("a_b", "c")
    #expect(CompoundID.parts(of: id) == ["a_b", "c"] && CompoundID.make(["x", "y"], separator: "/") == "x/y")
    #expect(CompoundID.defaultSeparator == "_")
  }
}
