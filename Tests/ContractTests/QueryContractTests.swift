import Anteroom
import Foundation
import Testing

/// Each way of asking, as apps write it; all are run.
@Suite struct QueryContractTests {
  private static let queries: [DatabaseQuery<Book>] = [
    DatabaseQuery { $0.title == "Emma" }, DatabaseQuery { $0.title != "Emma" }, DatabaseQuery { $0.title.in(["Emma", "Max"]) },
    DatabaseQuery { $0.pages < 3 && $0.pages <= 3 && $0.volume > 1 && $0.year >= 1 },
    DatabaseQuery { $0.weight < $0.weight || $0.weight <= $0.weight || $0.weight > $0.weight || $0.weight >= $0.weight },
    DatabaseQuery { $0.title == $0.title && $0.subtitle != $0.subtitle },
    DatabaseQuery { $0.isLent }, DatabaseQuery { !$0.isLent && $0.isLent == true },
    DatabaseQuery { $0.score == nil || $0.score != nil || $0.score > 4.5 },
    DatabaseQuery { $0.soldAt < Date() && $0.printedAt < Date() && $0.edition == nil },
    DatabaseQuery { $0.pages.between(1...5) || $0.pages.between(1..<5) || $0.score.between(0...1) },
    DatabaseQuery { $0.subtitle.in(["a", "b"]) && $0.subtitle == "a" && $0.subtitle < "z" },
    DatabaseQuery { $0.shelf == .science && $0.shelf != .children && $0.grade == nil && $0.grade != .fine && $0.grade > .poor },
    DatabaseQuery { $0.barcode > 3 && $0.colour == 1 && $0.code == 2 && $0.crc == 3 && $0.copies == 4 && $0.price == 1.5 },
    DatabaseQuery { $0.stock == 1 && $0.sold == 2 && $0.cover == Data([1]) },
    DatabaseQuery { $0.title.contains("mm") && $0.title.starts(with: "E") && $0.title.ends(with: "a") && $0.title.like("E*\\*?") },
    DatabaseQuery { $0.title.contains("MM", options: .caseInsensitive) && $0.subtitle.contains("x") },
    DatabaseQuery { $0.title.equals("emma", options: [.caseInsensitive, .diacriticInsensitive]) && $0.title.matches("E[a-z]+") },
    DatabaseQuery { $0.ratings.count >= 2 && !$0.ratings.isEmpty && $0.ratings.contains(4) && $0.keywords.contains("x") },
    DatabaseQuery { $0.ratings.min > 3 && $0.ratings.max < 9 && $0.ratings.avg >= 4.5 && $0.ratings.sum == 12 },
    DatabaseQuery { $0.measures.contains(nil) && $0.measures.min < 3 && $0.languages.contains("en") },
    DatabaseQuery { $0.ratings.any { $0 > 3 } && $0.ratings.all { $0 > 3 } && $0.ratings.none { $0 > 3 } },
    DatabaseQuery { $0.ratings.filter { $0 > 3 }.count > 1 && $0.imprints.filter { $0.name == "x" }.isEmpty },
    DatabaseQuery { $0.imprints.name == "Penguin" && $0.imprints.any { $0.name == "x" && $0.cities.contains("Paris") } },
    DatabaseQuery { $0.imprints.min(of: \.name) == nil && $0.imprints.max(of: \.name) == "z" },
    DatabaseQuery { $0.publisher.name == "x" && $0.publisher.cities.contains("Rome") && $0.reprinter.name == "y" },
    DatabaseQuery { $0.reprinter == nil || $0.reprinter != nil },
    DatabaseQuery { $0.counts["red"] == 3 && $0.counts.keys.contains("red") && $0.counts.values.contains(3) },
    DatabaseQuery { $0.counts.count > 2 && $0.counts.isEmpty },
    DatabaseQuery { $0.title.in(DatabaseQuery<Loan> { $0.dueAt == nil }, of: \.reader) },
  ]

  @Test func eachIsRun() async throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let store = try await folder.store()
    try await store.save(Book(title: "Emma", barcode: 1, ratings: [4, 5]))
    for query in Self.queries {
      let results = try await store.objects(Book.self, matching: query)
      #expect(try await store.count(Book.self, matching: query) == results.count)
      #expect(try DatabaseQuery<Book>(text: query.description).description == query.description)
    }
  }

  @Test func queriesAreBuilt() async throws {
    @Sendable func isThick(_ book: Query<Book>) -> Query<Bool> { book.pages > 500 }
    @Sendable func isThin(_ book: DatabaseQuery<Book>.Root) -> DatabaseQuery<Book>.Condition { !isThick(book) }
    let filter: DatabaseQuery<Book>.Filter = { isThick($0) || isThin($0) }
    let base = DatabaseQuery<Book>().where(filter).where { $0.pages >= 0 }
    let query = base.sorted(by: \.soldAt).sorted(by: [
      Sort.descending(\Book.pages), .ascending(\.title), Sort(\.code, ascending: false),
    ])
    .sorted(ascending: false) { $0.publisher.name }.distinct(by: \.title).limited(to: 20).offset(by: 1)
    #expect(Sort.descending(\Book.pages).ascending == false)
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let store = try await folder.store()
    try await store.save((0..<4).map { Book(title: "t\($0 % 2)", barcode: UInt64($0)) })
    #expect(try await store.count(Book.self, matching: query) == 1)
    #expect(try await store.objects(Book.self, where: filter).count == 4)
    #expect(throws: QueryError.self) { try DatabaseQuery<Book>(text: "pages >") }
  }

  /// The catch is exhaustive without a cast.
  @Test func errorsAreTyped() async throws {
    func told(_ store: ObjectStore) async -> String {
      do {
        return "\(try await store.count(Book.self))"
      } catch {
        switch error {
        case .storeNotOpen: return "not open"
        case .query(let reason): return reason.localizedDescription
        case .migrationNeeded(let differences): return differences.map(\.description).joined()
        case .duplicateKey(let type, let property, let values): return "\(type) \(property) \(values)"
        default: return "\(error.code) \(error.localizedDescription)"
        }
      }
    }
    #expect(await told(ObjectStore(configuration: try Folder().configuration())) == "not open")
    let errors: [QueryError] = [
      .syntax(text: "", offset: 0, expected: ""), .unknownType(name: ""), .unknownProperty(name: "", type: ""),
      .typeMismatch(part: "", expected: "", actual: ""), .unsupported(part: "", reason: ""), .invalidPattern(part: "", reason: ""),
      .notFullText(part: ""), .notAProperty(part: ""), .foreignCursor, .overflow(part: ""),
    ]
    #expect(errors[8] == .foreignCursor)
  }
}
