import Anteroom
import FoundationEssentials

/// Models are plain structs: Sendable, without a base class, a macro or generated code.
struct Book: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted(indexed: true) var title = ""
  @Persisted var author = ""
  @Persisted var year = 0
  @Persisted var rating: Double? = nil
  @Persisted var shelf: Shelf = .unread
  @Persisted var tags: List<String> = []

  /// The books of an author by year: for equality on the author, then a range or the order of years.
  static let indexes: [StorageIndex<Book>] = [.index(\.author, \.year)]
}

enum Shelf: String, PersistableEnum { case unread, reading, finished }

extension Book {
  static let samples = [
    Book(title: "The Dispossessed", author: "Ursula K. Le Guin", year: 1974, rating: 4.5, shelf: .finished, tags: ["utopia"]),
    Book(
      title: "A Wizard of Earthsea", author: "Ursula K. Le Guin", year: 1968, rating: 4.0, shelf: .finished,
      tags: ["dragons", "sea"]),
    Book(title: "The Lathe of Heaven", author: "Ursula K. Le Guin", year: 1971, tags: ["dreams"]),
    Book(title: "Solaris", author: "Stanisław Lem", year: 1961, rating: 5.0, shelf: .finished, tags: ["ocean"]),
    Book(title: "The Cyberiad", author: "Stanisław Lem", year: 1965, shelf: .reading),
    Book(title: "Kindred", author: "Octavia E. Butler", year: 1979),
  ]
}
