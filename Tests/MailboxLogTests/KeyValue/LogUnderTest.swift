import Foundation
import MailboxLog
import TestSupport
import Testing

/// A log of its own, the processes that work on it, and what has to hold in the end.
final class LogUnderTest {
  static let isLong = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"

  let place = TemporaryDirectory()
  let keys: [String]
  var path: String { place.path(of: "a.kvlog") }
  var noncePath: String { place.path(of: "nonces") }
  private(set) var model = LogModel()

  /// - Parameter keys: digits of keys of which the log has one, `-` for none; each process notes its nonces.
  init(keys: [String] = ["3c"]) { self.keys = keys }

  private var encryption: [String] { keys.flatMap { ["--key", $0] } + ["--ledger", noncePath] }

  func start(_ mode: String, _ arguments: [String] = [], _ options: [String] = [], input: String? = "") throws -> ChildProcess {
    try ChildProcess("log-worker", [mode, path] + arguments + options + encryption, input: input)
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

  func open() throws -> KeyValueLog {
    for text in keys {
      let key = text == "-" ? nil : try EncryptionKey([UInt8](repeating: UInt8(text, radix: 16)!, count: 32))
      do { return try KeyValueLog(path: path, options: LogOptions(key: key)) } catch {
        switch error {
        case .wrongKey, .keyRequired, .keyNotExpected: continue
        default: throw error
        }
      }
    }
    throw LogError.wrongKey
  }

  /// What writers printed is what the log has: nothing acknowledged is lost, no key comes back, and the last change of each, which may not have
  /// been acknowledged, is whole or absent.
  func check(_ outputs: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let log = try open()
    var found: [String: Int] = [:]
    try log.forEach { entry in
      let text = try entry.value(String.self)
      let number = LogValues.number(text)
      #expect(number != nil, "\(entry.key) is a mixture", sourceLocation: sourceLocation)
      let isNew = found.updateValue(number ?? 0, forKey: entry.key) == nil
      #expect(isNew, "\(entry.key) comes twice", sourceLocation: sourceLocation)
    }
    for (key, number) in found {
      let text = try log.string(forKey: key)
      #expect(text == LogValues.text(number), "\(key) by itself isn't what it is among all", sourceLocation: sourceLocation)
    }
    var problems: [String] = []
    for output in outputs { problems += model.apply(output, leading: found) }
    #expect(problems.isEmpty, "\(problems.prefix(5))", sourceLocation: sourceLocation)
    #expect(model.state == found, "\(model.difference(to: found))", sourceLocation: sourceLocation)
    let report = try log.verify()
    #expect(report.isEmpty, "\(report)", sourceLocation: sourceLocation)
    log.close()
  }

  /// No nonce comes twice; nothing temporary is left once a compaction has come to its end.
  func checkEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try open().compact()
    let left = litter(in: place.path)
    #expect(left.isEmpty, "\(left)", sourceLocation: sourceLocation)
    let use = NonceUse(ledger: noncePath)
    #expect(use.repeated == 0, "\(use)", sourceLocation: sourceLocation)
  }
}

/// What a log has to hold, by what its writers have said: `I key=number key=-`, or `I *`, before a call, and `A` after it.
struct LogModel {
  private(set) var state: [String: Int] = [:]

  /// Takes what one writer said. The last change, if it wasn't acknowledged, counts as the log has it.
  /// - Returns: what can't be.
  mutating func apply(_ output: String, leading found: [String: Int]) -> [String] {
    var pending: [(key: String, number: Int?)]?
    var clears = false
    // A line that the process died in isn't whole.
    for line in output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line == "A" {
        if clears { state = [:] }
        for change in pending ?? [] { state[change.key] = change.number }
        (pending, clears) = (nil, false)
      } else if line == "I *" {
        clears = true
      } else if line.hasPrefix("I ") {
        pending = line.dropFirst(2).split(separator: " ").map { part in
          let words = part.split(separator: "=")
          return (String(words[0]), Int(words[1]))
        }
      }
    }
    if clears, found.isEmpty { state = [:] }
    guard let pending, !pending.isEmpty else { return [] }
    let isThere = pending.allSatisfy { found[$0.key] == $0.number }
    let isAbsent = pending.allSatisfy { found[$0.key] == state[$0.key] }
    if isThere { for change in pending { state[change.key] = change.number } }
    return isThere || isAbsent ? [] : ["half of \(pending)"]
  }

  func difference(to found: [String: Int]) -> [String] {
    Set(state.keys).union(found.keys).filter { state[$0] != found[$0] }.sorted()
      .map { "\($0): \(state[$0].map(String.init) ?? "none") should be, \(found[$0].map(String.init) ?? "none") is" }
  }
}
