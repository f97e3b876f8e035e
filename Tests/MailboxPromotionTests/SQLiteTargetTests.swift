import Foundation
import MailboxPromotion
import SQLiteTarget
import Testing

/// The example target by itself.
@Suite struct SQLiteTargetTests {
  private final class Database {
    let path = FileManager.default.temporaryDirectory.appending(path: "target-\(UUID().uuidString).sqlite").path
    deinit { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
  }

  @Test func values() throws {
    let database = Database()
    let target = try SQLiteTarget(path: database.path, schema: "CREATE TABLE t (v)")
    let values: [SQLiteValue] = [
      .null, .integer(.min), .real(0.25), .text(""), .text("ä\u{0}z"), .blob([]), .blob([0, 1, 255]),
    ]
    let rows = try target.write { transaction in
      for value in values { #expect(try transaction.execute("INSERT INTO t VALUES (?)", value) == 1) }
      return try transaction.rows("SELECT v FROM t ORDER BY rowid").map { $0[0] }
    }
    #expect(rows == values)
  }

  @Test func ledger() throws {
    let database = Database()
    let target = try SQLiteTarget(path: database.path)
    try target.write { transaction in
      for key: [UInt8] in [[1], [0xFF], [1, 0], [], [0x7F]] { try transaction.setLedgerValue(key + [9], forKey: key) }
      try transaction.setLedgerValue([], forKey: [2])
      try transaction.setLedgerValue(nil, forKey: [0x7F])
      #expect(try transaction.ledgerValue(forKey: [1]) == [1, 9])
      #expect(try transaction.ledgerValue(forKey: [2]) == [])
      #expect(try transaction.ledgerValue(forKey: [0x7F]) == nil)
      var keys: [[UInt8]] = []
      try transaction.forEachLedgerValue(from: [1]) { key, _ in
        keys.append(key)
        // Another use of the same statement meanwhile.
        try transaction.forEachLedgerValue(from: []) { _, _ in true }
        return keys.count < 3
      }
      #expect(keys == [[1], [1, 0], [2]])
    }
  }

  @Test func nestedUndoesOneEntry() throws {
    let database = Database()
    let target = try SQLiteTarget(path: database.path, schema: "CREATE TABLE t (v)")
    struct Failure: Error {}
    let count = try target.write { transaction in
      try transaction.nested { try $0.execute("INSERT INTO t VALUES (1)") }
      #expect(throws: Failure.self) {
        try transaction.nested { nested in
          try nested.execute("INSERT INTO t VALUES (2)")
          try nested.setLedgerValue([1], forKey: [1])
          throw Failure()
        }
      }
      #expect(try transaction.ledgerValue(forKey: [1]) == nil)
      return try transaction.rows("SELECT count(*) FROM t")[0][0].integer
    }
    #expect(count == 1)
  }

  @Test func failedBodyAndFailedCommit() throws {
    let database = Database()
    let schema = """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED);
      """
    let target = try SQLiteTarget(path: database.path, schema: schema)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try target.write { transaction in
        try transaction.execute("INSERT INTO a VALUES (1)")
        throw Failure()
      }
    }
    // The constraint is checked at the commit.
    let error = #expect(throws: SQLiteError.self) {
      try target.write { transaction in
        try transaction.execute("INSERT INTO a VALUES (1)")
        try transaction.execute("INSERT INTO b VALUES (2)")
      }
    }
    #expect(error?.message.contains("FOREIGN KEY") == true)
    let counts = try target.write { transaction in try transaction.rows("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b)")
    }
    #expect(counts == [[.integer(0), .integer(0)]])
  }

  @Test func errorsSaySQLitesSentence() throws {
    let database = Database()
    let target = try SQLiteTarget(path: database.path)
    let error = #expect(throws: SQLiteError.self) { try target.write { try $0.execute("INSERT INTO absent VALUES (1)") } }
    #expect(error?.message == "no such table: absent")
    #expect(error?.sql == "INSERT INTO absent VALUES (1)")
    #expect(throws: SQLiteError.self) { try SQLiteTarget(path: "/nowhere/at/all.sqlite") }
  }

  @Test("The wait for another connection is bounded, and ends the drain")
  func busy() throws {
    let database = Database()
    let holder = try SQLiteTarget(path: database.path)
    let waiter = try SQLiteTarget(path: database.path, busyTimeout: .milliseconds(50))
    try holder.write { transaction in
      let start = ContinuousClock.now
      let error = #expect(throws: SQLiteError.self) { try waiter.write { _ in } }
      #expect(ContinuousClock.now - start < .seconds(2))
      let busy = try #require(error)
      #expect(transaction.endsPromotion(busy))
    }
    try waiter.write { _ in }
  }
}
