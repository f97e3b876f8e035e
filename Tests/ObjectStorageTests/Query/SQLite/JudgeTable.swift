import Foundation

@testable import ObjectStorage

/// Samples as tables of SQL: a row each, and a table for each of their collections.
///
/// Columns have no type, so that SQLite compares what is stored. NaN, which SQLite takes for NULL, is the text 'nan': it sorts behind every
/// number. Unsigned integers, of which SQLite has none, are eight bytes, the highest first; -1 is less than all, the empty blob.
struct JudgeTable {
  let database: JudgeDatabase

  init(_ samples: [Sample]) throws {
    database = try JudgeDatabase()
    let columns = Self.row(Sample()).map { "\"\($0.name)\"" }.joined(separator: ", ")
    try database.execute("CREATE TABLE sample (\(columns), PRIMARY KEY (id)) WITHOUT ROWID")
    try database.execute("CREATE TABLE places (owner, position, street, number)")
    try database.execute("CREATE TABLE placeTags (owner, position, value)")
    try database.execute("CREATE TABLE attributes (owner, key, value)")
    for name in ["scores", "tags", "optionals"] { try database.execute("CREATE TABLE \(name) (owner, value)") }
    for name in ["places", "placeTags", "attributes", "scores", "tags", "optionals"] {
      try database.execute("CREATE INDEX \(name)Owner ON \(name) (owner)")
    }
    for sample in samples { try insert(sample) }
  }

  /// Runs a query. - Returns: the ids of its results.
  func ids(_ form: QueryForm) throws -> [Int] {
    var translation = JudgeTranslation()
    let sql = try translation.select(form)
    return try database.integers(sql, translation.values)
  }

  private static func row(_ sample: Sample) -> [(name: String, value: JudgeValue)] {
    [
      ("id", integer(sample.id)), ("flag", .integer(sample.flag ? 1 : 0)), ("age", integer(sample.age)),
      ("small", integer(Int(sample.small))), ("big", unsigned(sample.big)), ("score", real(sample.score)),
      ("ratio", real(Double(sample.ratio))), ("price", decimal(sample.price)), ("name", text(sample.name)),
      ("nickname", text(sample.nickname)), ("moment", .real(sample.moment.timeIntervalSinceReferenceDate)),
      ("token", sample.token.map(uuid) ?? .null), ("blob", .blob([UInt8](sample.blob))), ("status", text(sample.status.rawValue)),
      ("address.street", text(sample.address.street)), ("oldAddress.street", text(sample.oldAddress?.street)),
      ("oldAddress.number", integer(sample.oldAddress?.number)),
    ]
  }

  private func insert(_ sample: Sample) throws {
    let row = Self.row(sample)
    let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
    try database.execute("INSERT INTO sample VALUES (\(places))", row.map(\.value))
    let id = Self.integer(sample.id)
    for (position, place) in sample.places.enumerated() {
      let values = [id, Self.integer(position), Self.text(place.street), Self.integer(place.number)]
      try database.execute("INSERT INTO places VALUES (?, ?, ?, ?)", values)
      for tag in place.tags {
        try database.execute("INSERT INTO placeTags VALUES (?, ?, ?)", [id, Self.integer(position), Self.text(tag)])
      }
    }
    for value in sample.scores { try database.execute("INSERT INTO scores VALUES (?, ?)", [id, Self.integer(value)]) }
    for value in sample.tags { try database.execute("INSERT INTO tags VALUES (?, ?)", [id, Self.text(value)]) }
    for value in sample.optionals { try database.execute("INSERT INTO optionals VALUES (?, ?)", [id, Self.real(value)]) }
    for (key, value) in sample.attributes {
      try database.execute("INSERT INTO attributes VALUES (?, ?, ?)", [id, Self.text(key), Self.integer(value)])
    }
  }

  // MARK: Values

  static func integer(_ value: Int?) -> JudgeValue { value.map { .integer(Int64($0)) } ?? .null }
  static func real(_ value: Double?) -> JudgeValue { value.map { $0.isNaN ? .text("nan") : .real($0) } ?? .null }
  static func text(_ value: String?) -> JudgeValue { value.map { .text(JudgeText.stored($0)) } ?? .null }
  static func uuid(_ value: UUID) -> JudgeValue { .text(value.uuidString) }
  static func unsigned(_ value: UInt64) -> JudgeValue {
    .blob((0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) })
  }
  /// The samples' decimals stay different, and in order, as doubles.
  static func decimal(_ value: Decimal) -> JudgeValue { .real(NSDecimalNumber(decimal: value).doubleValue) }
}
