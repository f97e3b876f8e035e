import Anteroom
import FoundationEssentials

/// Each step says what it does, does it, and prints what came of it.
struct Tour {
  private let store: ObjectStore

  /// - Returns: the exit code: 0, or 70 when a step fails.
  static func main(_ arguments: [String]) async -> Int32 {
    do {
      try await Tour(path: arguments.first).run()
      return 0
    } catch {
      print("tour: \(error)")
      return 70
    }
  }

  private init(path: String?) {
    var configuration = StorageConfiguration(objectTypes: [Book.self])
    configuration.location = path.map { .file(URL(filePath: $0)) } ?? .inMemory(identifier: "tour")
    // An app takes it from a secret store: `.secret(store:account:)`.
    configuration.encryption = .key(Data(repeating: 0x2A, count: 32))
    store = ObjectStore(configuration: configuration)
  }

  private func run() async throws {
    let report = try await store.open()
    step("open", "created \(report.wasCreated), encrypted")
    try await writing()
    try await reading()
    try await changing()
    try await looking()
    await store.close()
  }

  private func writing() async throws {
    try await store.deleteAll(Book.self)
    try await store.save(Book.samples)
    step("save", "\(Book.samples.count) books in one transaction; there are \(try await store.count(Book.self))")
    struct SecondThoughts: Error {}
    do {
      try await store.write { transaction in
        try transaction.deleteAll(Book.self)
        throw SecondThoughts()
      }
    } catch is SecondThoughts {
      step("write", "a transaction that throws leaves everything as it was: \(try await store.count(Book.self)) books")
    }
  }

  private func reading() async throws {
    let leGuin = DatabaseQuery<Book> { $0.author == "Ursula K. Le Guin" && $0.year < 1974 }.sorted(by: \.year)
    step("query", "\(leGuin)")
    for book in try await store.objects(Book.self, matching: leGuin) { detail("\(book.year) \(book.title)") }
    step("explain", "the compound index serves condition and order")
    for line in try await store.explain(leGuin).description.split(separator: "\n") { detail(String(line)) }
    let rated = DatabaseQuery<Book> {
      $0.rating != nil && ($0.tags.contains("ocean") || $0.title.contains("earth", options: .caseInsensitive))
    }
    step("query", "\(rated)")
    for title in try await store.objects(Book.self, matching: rated, transform: { $0.title }) { detail(title) }
    let text = try DatabaseQuery<Book>(text: "shelf == \"unread\" | sort -year | limit 2")
    step("query", "from text, as kvtool takes it: \(text)")
    for book in try await store.objects(Book.self, matching: text) { detail("\(book.year) \(book.title)") }
    let average = try await store.average(Book.self, of: \.rating) ?? 0
    step("aggregate", "average rating \(average), oldest \(try await store.min(Book.self, of: \.year) ?? 0)")
    for group in try await store.groups(Book.self, by: \.author) { detail("\(group.key): \(group.results.count)") }
  }

  private func changing() async throws {
    let before = try await store.snapshot()
    let solaris = try await store.first(Book.self, matching: DatabaseQuery { $0.title == "Solaris" })
    guard let solaris else { throw StorageError.objectNotFound(type: "Book", id: "Solaris") }
    try await store.update(Book.self, id: solaris.id) { $0.shelf = .reading }
    let count = try await store.update(Book.self, matching: DatabaseQuery { $0.shelf == .unread }) { $0.tags.append("to read") }
    step("update", "one by its id, \(count) by a query")
    let deleted = try await store.delete(Book.self, matching: DatabaseQuery { $0.year > 1975 })
    step("delete", "\(deleted) by a query; \(try await store.count(Book.self)) are left")
    step(
      "snapshot",
      "it still has \(try before.count(Book.self)) books, and Solaris is as it was read:")
    detail("held \(solaris.shelf), stored \(try await store.object(Book.self, id: solaris.id)?.shelf ?? .unread)")
  }

  private func looking() async throws {
    let statistics = try await store.statistics()
    let counts = statistics.objectCounts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    step("statistics", "\(counts); \(statistics.usedByteCount) bytes in use")
    let report = try await store.verify()
    step("verify", "\(report.checkedPageCount) pages, \(report.isClean ? "clean" : report.problems.joined(separator: "; "))")
    guard report.isClean else { throw StorageError.corrupted(page: 0, reason: "see above") }
  }

  private func step(_ name: String, _ text: String) { print(name + String(repeating: " ", count: max(1, 12 - name.count)) + text) }
  private func detail(_ text: String) { print("            \(text)") }
}
