import Anteroom
import Foundation
import TestSupport
import Testing

/// The daemon of `Examples/Daemon` as a process: what it drains, how it stops, and what is true whenever it dies.
@Suite struct DaemonTests {
  /// A mailbox, keys where systemd would put them, and the daemon beside them.
  private final class Service: Sendable {
    let place = TemporaryDirectory()
    let key = Data(repeating: 9, count: 32)
    let privateKey = try! MailboxPrivateKey([UInt8](repeating: 11, count: 32))
    var mailbox: String { place.path(of: "inbox.mailbox") }
    var store: String { place.path(of: "main.store") }
    var credentials: String { place.path(of: "credentials") }

    init() throws {
      let private0700 = [FileAttributeKey.posixPermissions: 0o700]
      try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false, attributes: private0700)
      let keys = [
        ("mailbox-key", key), ("store-key", key), ("private-key", Data(repeating: 11, count: 32)), ("other-key", Data(count: 32)),
      ]
      for (name, data) in keys {
        let path = credentials + "/" + name
        let isMade = FileManager.default.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600])
        #expect(isMade)
      }
    }

    func start(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess("mailbox-drain", [mailbox] + arguments, environment: ["CREDENTIALS_DIRECTORY": credentials])
    }

    func append(_ numbers: Range<Int>, _ options: LogOptions? = nil) throws {
      var options = try options ?? LogOptions(key: EncryptionKey(key))
      options.durability = .processCrash
      let outbox = try MailboxWriter(directory: mailbox, options: options)
      for number in numbers { try outbox.append(id: "\(number)") { fields in fields.set("text", "text \(number)") } }
      outbox.close()
    }

    func pendingIDs() throws -> [String] {
      var ids: [String] = []
      let inbox = try MailboxReader(directory: mailbox, options: LogOptions(key: EncryptionKey(key)))
      try inbox.forEachPending { entry in ids.append(entry.id) }
      return ids
    }
  }

  private struct Line: Decodable {
    let id: String
    let sequence: UInt64
    let content: [String: String]
  }
  private func lines(_ outcome: ChildOutcome) throws -> [Line] {
    try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test func aSignalFinishesTheBatchAndNothingComesTwice() throws {
    let service = try Service()
    try service.append(0..<10_000)
    let daemon = try service.start("--jsonl", "--key", "mailbox-key")
    #expect(daemon.waitForOutput("\"sequence\""))
    daemon.kill(SIGTERM)
    let stopped = daemon.wait(timeout: .seconds(30))
    #expect(stopped.exitCode == 0 && !stopped.hasTimedOut, "\(stopped.errorOutput)")
    let first = try lines(stopped)
    #expect(first.allSatisfy { $0.content == ["text": "text \($0.id)"] })
    // What was written is acknowledged, and what is acknowledged was written.
    #expect(try first.map(\.id) + service.pendingIDs() == (0..<10_000).map(String.init))
    let rest = try service.start("--jsonl", "--key", "mailbox-key", "--once").wait()
    #expect(rest.exitCode == 0)
    #expect(try lines(rest).count == 10_000 - first.count)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func idleItStopsToo(signal: Int32) throws {
    let service = try Service()
    let daemon = try service.start("--jsonl", "--key", "mailbox-key")
    try service.append(0..<1)
    #expect(daemon.waitForOutput("text 0"))
    daemon.kill(signal)
    let outcome = daemon.wait(timeout: .seconds(30))
    #expect(outcome.exitCode == 0 && !outcome.hasTimedOut, "\(outcome.errorOutput)")
    #expect(try service.pendingIDs() == [])
  }

  /// Also while it is still opening.
  @Test func aSignalAtItsVeryBeginningEndsItAsWell() throws {
    let service = try Service()
    try service.append(0..<1)
    for delay in 0..<8 {
      let daemon = try service.start("--store", service.store, "--key", "mailbox-key", "--store-key", "store-key")
      #expect(daemon.waitForOutput(delay % 2 == 0 ? "ready" : "<", onStandardError: true))
      daemon.kill(SIGTERM)
      let outcome = daemon.wait(timeout: .seconds(30))
      #expect(outcome.exitCode == 0 && !outcome.hasTimedOut, "\(outcome.errorOutput)")
    }
  }

  /// Stopped and killed by turns, in the middle of batches, until everything is there.
  @Test func intoAStoreEveryEntryComesOnceWhateverEndsIt() async throws {
    let service = try Service()
    var count = 0
    for round in 0..<6 {
      try service.append(count..<count + 1_500)
      count += 1_500
      let daemon = try service.start("--store", service.store, "--key", "mailbox-key", "--store-key", "store-key")
      // In the course of the batches: the first is committed.
      #expect(daemon.waitForOutput("promotion event 0", onStandardError: true))
      daemon.kill(round % 2 == 0 ? SIGKILL : SIGTERM)
      let outcome = daemon.wait(timeout: .seconds(30))
      #expect(round % 2 == 0 ? outcome.signal == SIGKILL : outcome.exitCode == 0, "\(outcome.errorOutput)")
    }
    let last = try service.start("--store", service.store, "--key", "mailbox-key", "--store-key", "store-key", "--once").wait()
    #expect(last.exitCode == 0, "\(last.errorOutput)")
    #expect(try service.pendingIDs() == [])
    let store = ObjectStore(
      configuration: StorageConfiguration(
        location: .file(URL(filePath: service.store)), encryption: .key(service.key), objectTypes: [DrainedEntry.self]))
    try await store.open()
    let entries = try await store.objects(DrainedEntry.self).array()
    #expect(Set(entries.map(\.id)) == Set((0..<count).map(String.init)) && entries.count == count)
    #expect(entries.allSatisfy { $0.content == "{\"text\":\"text \($0.id)\"}" })
    #expect(try await PromotionQuarantine(in: store).count == 0)
    await store.close()
  }

  @Test func aHelperThatCanNotReadIsRead() throws {
    let service = try Service()
    try service.append(0..<3, LogOptions(writeOnlyKey: service.privateKey.publicKey))
    let outcome = try service.start("--jsonl", "--read-key", "private-key", "--once").wait()
    #expect(outcome.exitCode == 0, "\(outcome.errorOutput)")
    #expect(try lines(outcome).map(\.id) == ["0", "1", "2"])
  }

  @Test(arguments: [["--key", "missing-key"], ["--key", "other-key"], []])
  func aKeyThatDoesNotFitEndsItForGood(key: [String]) throws {
    let service = try Service()
    try service.append(0..<1)
    let daemon = try ChildProcess(
      "mailbox-drain", [service.mailbox, "--jsonl"] + key, environment: ["CREDENTIALS_DIRECTORY": service.credentials])
    let outcome = daemon.wait()
    #expect(outcome.exitCode == 78 && outcome.output == "")
    #expect(try service.pendingIDs() == ["0"])
  }

  /// Whoever reads the lines is gone: nothing of the batch is acknowledged.
  @Test func linesThatNobodyTakesArePending() throws {
    let service = try Service()
    try service.append(0..<2)
    let command = [BuiltExecutable.path("mailbox-drain") ?? "", service.mailbox, "--jsonl", "--key", "mailbox-key"]
    let shell = try ChildProcess(
      "/bin/sh", ["-c", "\"$0\" \"$@\" > /dev/full"] + command, environment: ["CREDENTIALS_DIRECTORY": service.credentials])
    #expect(shell.wait().exitCode == 75)
    #expect(try service.pendingIDs() == ["0", "1"])
  }
}

/// As the daemon stores it.
private struct DrainedEntry: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var appendedAt = Date.distantPast
  @Persisted var schemaVersion = 0
  @Persisted var content = ""
}
