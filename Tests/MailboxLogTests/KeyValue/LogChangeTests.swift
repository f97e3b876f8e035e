import MailboxListening
import MailboxLog
import StorageIO
import TestSupport
import Testing

/// `changes()`, on handles of one process: each handle has its own files and mappings, as another process has.
@Suite struct LogChangeTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path(of: "a.kvlog") }
  private func open(_ key: EncryptionKey? = nil) throws -> KeyValueLog {
    try KeyValueLog(path: path, options: LogOptions(key: key))
  }

  /// Collects changes until a key comes that says so.
  private func collect(_ changes: LogChanges) async throws -> [String] {
    var found: [String] = []
    var last: UInt64 = 0
    for try await change in changes {
      found.append("\(change.isRemoval ? "-" : "+")\(change.key)")
      last = max(last, change.sequence)
      if change.key == "end" { break }
    }
    return found
  }

  @Test(arguments: [false, true]) func setsAndRemovals(isSealed: Bool) async throws {
    let key = isSealed ? EncryptionKey.random() : nil
    let (log, other) = (try open(key), try open(key))
    try other.set(0, forKey: "before")
    let changes = log.changes()
    try other.set(1, forKey: "a")
    try other.update { batch in
      batch.set(2, forKey: "b")
      batch.removeValue(forKey: "before")
    }
    try other.set(3, forKey: "a")
    try log.set(4, forKey: "own")
    try other.set(5, forKey: "end")
    #expect(try await collect(changes) == ["+b", "-before", "+a", "+own", "+end"])
  }

  @Test("Keys that removeAll has cleared are told, also after a compaction", arguments: [false, true], [false, true])
  func cleared(isSealed: Bool, compacts: Bool) async throws {
    let key = isSealed ? EncryptionKey.random() : nil
    let (log, other) = (try open(key), try open(key))
    for name in ["a", "b", "c", "gone"] { try other.set(1, forKey: name) }
    try other.removeValue(forKey: "gone")
    let changes = log.changes()
    try other.set(2, forKey: "new")
    try other.removeValue(forKey: "c")
    try other.removeAll()
    try other.set(3, forKey: "b")
    if compacts {
      try other.compact()
      try open(key).compact()
    }
    try other.set(4, forKey: "end")
    let found = try await collect(changes)
    #expect(found.sorted() == ["+b", "+end", "-a", "-c", "-new"], "\(found)")
    #expect(try open(key).keys().sorted() == ["b", "end"])
  }

  @Test("Two clearings and what came between") func clearedTwice() async throws {
    let (log, other) = (try open(), try open())
    try other.set(1, forKey: "old")
    try other.removeAll()
    try other.set(1, forKey: "a")
    let changes = log.changes()
    try other.removeAll()
    try other.set(1, forKey: "b")
    try other.removeAll()
    try other.set(4, forKey: "end")
    // "old" was gone before.
    #expect(try await collect(changes).sorted() == ["+end", "-a", "-b"])
  }

  @Test("Removals outlive compactions for ten seconds, and no longer") func removalsAreKept() throws {
    let kernel = CrashKernel()
    let log = try KeyValueLog(path: "/a.kvlog", options: LogOptions(), system: kernel.process())
    for number in 0..<10 { try log.set(number, forKey: "n\(number)") }
    try log.removeValue(forKey: "n1")
    try log.compact()
    #expect(try log.statistics().recordCount == 10)
    kernel.step(.seconds(11))
    try log.compact()
    #expect(try log.statistics().recordCount == 9)
    try log.removeAll()
    try log.compact()
    #expect(try log.statistics().recordCount == 10 && log.count == 0)
    kernel.step(.seconds(11))
    try log.compact()
    #expect(try log.statistics().recordCount == 0)
  }

  @Test("A restored backup is told") func restored() async throws {
    let log = try open()
    try log.set(1, forKey: "end")
    try log.backup(to: directory.path(of: "copy.kvlog"))
    for number in 0..<5 { try log.set(number, forKey: "n\(number)") }
    let changes = log.changes()
    try KeyValueLog.restore(from: directory.path(of: "copy.kvlog"), to: path)
    #expect(try await collect(changes) == ["+end"])
  }

  @Test("Ends with the log, and with its task") func ends() async throws {
    let log = try open()
    let cancelled = Task { for try await _ in log.changes() {} }
    cancelled.cancel()
    try await cancelled.value
    let closed = Task { for try await _ in log.changes() {} }
    log.close()
    try await closed.value
    let suspended = try open()
    let waiting = Task { [self] in try await collect(suspended.changes()) }
    suspended.suspend()
    try await Task.sleep(for: .milliseconds(5))
    try suspended.resume()
    let other = try open()
    // The task may begin to listen later than this writes.
    let writing = Task {
      while !Task.isCancelled {
        try other.set(1, forKey: "end")
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    #expect(try await waiting.value == ["+end"])
    writing.cancel()
    try await writing.value
  }

  @Test("Rekeyed by somebody else, it throws") func rekeyed() async throws {
    let log = try open()
    let other = try open()
    let changes = log.changes()
    try other.rekey(to: .random())
    await #expect(throws: LogError.keyChanged) { for try await _ in changes {} }
  }
}
