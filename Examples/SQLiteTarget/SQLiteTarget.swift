public import MailboxPromotion
import Synchronization

/// A SQLite database that mail is promoted into.
///
/// Guarantee: a committed transaction survives a loss of power (`synchronous=FULL`), and its objects and its ledger are there
/// together or not at all.
public final class SQLiteTarget: PromotionTarget {
  private static let ledger = "CREATE TABLE IF NOT EXISTS anteroom_ledger (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
  private let connection: Mutex<SQLiteConnection>

  /// Opens or makes the database, and its tables.
  ///
  /// - Parameter path: the database file; `*-wal` and `*-shm` are made beside it.
  /// - Parameter schema: statements that make the app's tables where they are missing (`CREATE TABLE IF NOT EXISTS …`).
  /// - Parameter busyTimeout: the longest wait for another connection's transaction.
  /// - Parameter cipherKey: 32 bytes for a program that runs with SQLCipher in SQLite's place; nil for a plain database.
  /// - Throws: ``SQLiteError``, also for a key where SQLite isn't SQLCipher: it would ignore the key.
  public init(path: String, schema: String = "", busyTimeout: Duration = .seconds(5), cipherKey: [UInt8]? = nil) throws {
    let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
    if let cipherKey { try Self.unlock(connection, cipherKey) }
    let settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=1; PRAGMA foreign_keys=ON"
    try connection.executeScript(settings, busyTimeout: busyTimeout)
    _ = try Self.transact(connection) { transaction in try transaction.connection.executeScript("\(Self.ledger); \(schema)") }
    self.connection = Mutex(connection)
  }

  /// Begins, runs `body` and commits; whatever fails, the commit included, everything is rolled back.
  ///
  /// - Throws: the error of `body`; ``SQLiteError``.
  /// - Concurrency: blocks its thread until the transaction is committed; one at a time, across processes.
  public func withPromotionTransaction<R: Sendable>(
    _ body: @Sendable (inout SQLiteTransaction) throws -> R
  ) async throws -> R {
    try write(body)
  }

  /// The same for writes of the app's own, in a synchronous function.
  ///
  /// - Throws: the error of `body`; ``SQLiteError``.
  public func write<R: Sendable>(_ body: @Sendable (inout SQLiteTransaction) throws -> R) throws -> R {
    try connection.withLock { connection in try Self.transact(connection, body) }
  }

  private static func unlock(_ connection: SQLiteConnection, _ key: [UInt8]) throws {
    let digits = Array("0123456789abcdef".utf8)
    let text = String(decoding: key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    try connection.executeScript("PRAGMA key = \"x'\(text)'\"")
    var isCipher = false
    try connection.forEachRow("PRAGMA cipher_version", []) { _ in
      isCipher = true
      return false
    }
    guard isCipher else { throw SQLiteError(code: 21, message: "a key, and this isn't SQLCipher", sql: "") }
  }

  private static func transact<R>(_ connection: SQLiteConnection, _ body: (inout SQLiteTransaction) throws -> R) throws -> R {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      var transaction = SQLiteTransaction(connection: connection)
      let result = try body(&transaction)
      try connection.execute("COMMIT")
      return result
    } catch {
      // SQLite has rolled back by itself after some errors.
      if connection.isInTransaction { try connection.execute("ROLLBACK") }
      throw error
    }
  }
}
