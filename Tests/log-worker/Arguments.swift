import Foundation
import MailboxLog
import TestSupport

/// Words, of which the first is the path of a log, then options: `write PATH PREFIX --key HEX --alone …`.
struct Arguments {
  private var words: [String] = []
  private var options: [(name: String, value: String)] = []
  private static let flags: Set = ["--unmapped", "--durable", "--alone", "--fork", "--group"]

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let next = rest.popFirst() {
      if next.hasPrefix("--") {
        options.append((next, Self.flags.contains(next) ? "" : rest.popFirst() ?? ""))
      } else {
        words.append(next)
      }
    }
  }

  subscript(index: Int) -> String {
    guard index < words.count else { stop("too few arguments") }
    return words[index]
  }
  func count(_ index: Int) -> Int {
    guard let value = Int(self[index]) else { stop("no number: \(self[index])") }
    return value
  }
  func has(_ name: String) -> Bool { options.contains { $0.name == name } }
  func number(_ name: String, default value: Int) -> Int { values(name).last.flatMap { Int($0) } ?? value }
  private func values(_ name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

  /// The keys that `--key` names: the log has one of them.
  var keys: [EncryptionKey?] {
    get throws {
      let keys = try values("--key").map { digits throws -> EncryptionKey? in
        digits == "-" ? nil : try EncryptionKey([UInt8](repeating: UInt8(digits.prefix(2), radix: 16) ?? 0, count: 32))
      }
      return keys.isEmpty ? [nil] : keys
    }
  }

  /// The kernel of this process, with the traps that were asked for.
  func opened() throws -> Opened { try Opened(self) }

  final class Opened: Sendable {
    let path: String
    private let keys: [EncryptionKey?]
    private let durability: LogDurability
    private let permissions: LogPermissions
    #if DEBUG
      let system: FailpointCalls
      private let observer: NonceLedger?
    #endif

    init(_ arguments: Arguments) throws {
      path = arguments[0]
      keys = try arguments.keys
      durability = arguments.has("--durable") ? .powerLoss : .processCrash
      permissions = arguments.has("--group") ? .group : .owner
      #if DEBUG
        system = FailpointCalls(isUnmapped: arguments.has("--unmapped"), modes: arguments.values("--modes-to").last)
        observer = arguments.values("--ledger").last.map { NonceLedger(path: $0) }
        for trap in arguments.values("--kill-at") {
          let parts = trap.split(separator: ":")
          let isKnown = system.at(String(parts[0]), ordinal: parts.count > 1 ? Int(parts[1])! : 1) { kill(getpid(), SIGKILL) }
          require(isKnown, "no failpoint \(trap)")
        }
      #endif
    }

    /// Has an action run when a point is reached. - Returns: whether there is such a point.
    func at(_ point: String, _ action: @escaping @Sendable () -> Void) -> Bool {
      #if DEBUG
        return system.at(point, ordinal: 1, action)
      #else
        return false
      #endif
    }

    /// Opens the log under whichever of the keys is its own now.
    func log() throws -> KeyValueLog {
      for attempt in 0... {
        for key in keys {
          var options = LogOptions(key: key)
          options.durability = durability
          options.permissions = permissions
          options.lockTimeout = .seconds(20)
          do {
            #if DEBUG
              return try KeyValueLog(path: path, options: options, system: system, nonceObserver: observer)
            #else
              return try KeyValueLog(path: path, options: options)
            #endif
          } catch {
            switch error {
            case .wrongKey, .keyRequired, .keyNotExpected: continue
            default: throw error
            }
          }
        }
        // Between two tries it may have been rekeyed.
        if attempt == 100 { break }
      }
      stop("no key fits")
    }
  }
}
