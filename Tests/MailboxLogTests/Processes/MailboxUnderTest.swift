import Foundation
import MailboxLog
import TestSupport
import Testing

/// A mailbox of its own, the processes that work on it, and what has to hold in the end.
final class MailboxUnderTest: Sendable {
  static let isLong = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"
  static let keyText = String(repeating: "3c", count: 32)

  let place = TemporaryDirectory()
  let encryption: [String]
  var path: String { place.path(of: "inbox.mailbox") }
  var drainedPath: String { place.path(of: "drained") }
  var noncePath: String { place.path(of: "nonces") }

  /// - Parameter isEncrypted: then each process notes its nonces.
  init(isEncrypted: Bool = true) {
    encryption = isEncrypted ? ["--key", Self.keyText, "--ledger", place.path(of: "nonces")] : []
  }

  func start(_ mode: String, _ arguments: [String] = [], _ options: [String] = [], input: String? = "") throws -> ChildProcess {
    try ChildProcess("mailbox-worker", [mode, path] + arguments + options + encryption, input: input)
  }
  /// Runs to the end, which has to be a success.
  @discardableResult
  func run(
    _ mode: String, _ arguments: [String] = [], _ options: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let outcome = try start(mode, arguments, options).wait(timeout: .seconds(300))
    #expect(outcome.isSuccess, "\(mode): \(outcome.errorOutput) (\(outcome))", sourceLocation: sourceLocation)
    return outcome.output
  }

  func reader() throws -> MailboxReader {
    var options = LogOptions()
    if !encryption.isEmpty { options.key = try EncryptionKey([UInt8](repeating: 0x3C, count: 32)) }
    return try MailboxReader(directory: path, options: options)
  }

  /// Drains the rest and checks everything that was ever printed: nothing lost, nothing there twice, nothing left behind.
  /// - Parameters:
  ///   - acknowledged: what appends have returned.
  ///   - hasOneDrainer: no entry comes again after its acknowledgement has returned.
  func check(
    _ acknowledged: Acknowledged, hasOneDrainer: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try run("drain", [drainedPath], ["--until-empty", "--limit", "5000"], sourceLocation: sourceLocation)
    let drained = Drained(place.contents("drained") ?? [])
    let lost = acknowledged.positions.filter { drained.positions[$0.key] != $0.value }
    let message = "\(lost.count) of \(acknowledged.positions.count) are lost: \(lost.prefix(3))"
    #expect(lost.isEmpty, "\(message)", sourceLocation: sourceLocation)
    #expect(drained.doubled.isEmpty, "there twice: \(drained.doubled.prefix(3))", sourceLocation: sourceLocation)
    if hasOneDrainer {
      #expect(drained.again.isEmpty, "again after the acknowledgement: \(drained.again.prefix(3))", sourceLocation: sourceLocation)
    }
    let reader = try reader()
    let damage = try reader.damage()
    #expect(damage.isEmpty, "\(damage)", sourceLocation: sourceLocation)
    #expect(try reader.pendingCount == 0, sourceLocation: sourceLocation)
    #expect(litter(in: place.path) == [], sourceLocation: sourceLocation)
    if !encryption.isEmpty {
      let use = NonceUse(ledger: noncePath)
      #expect(use.repeated == 0 && use.count >= acknowledged.positions.count, "\(use)", sourceLocation: sourceLocation)
    }
  }
}

/// Ids and positions as writers printed them.
struct Acknowledged {
  private(set) var positions: [String: Substring] = [:]

  /// Takes whole lines only: the process may have died in the middle of one.
  mutating func add(_ output: String) {
    for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      if words.count == 2, words[1].count == 48 { positions[String(words[0])] = words[1] }
    }
  }
}

/// What drainers wrote: `E id position` at each delivery, `A position` after each acknowledgement.
struct Drained {
  private(set) var positions: [String: Substring] = [:]
  private(set) var doubled: [String] = []
  private(set) var again: [String] = []

  init(_ bytes: [UInt8]) {
    var ids: [Substring: String] = [:]
    var done: Set<Substring> = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "A" { done.insert(words[1]) }
      guard words.count == 3, words[0] == "E", words[2].count == 48 else { continue }
      let id = String(words[1])
      if let known = positions[id], known != words[2] { doubled.append(id) }
      if let known = ids[words[2]], known != id { doubled.append("\(known), \(id)") }
      if done.contains(words[2]) { again.append(id) }
      positions[id] = words[2]
      ids[words[2]] = id
    }
  }
}
