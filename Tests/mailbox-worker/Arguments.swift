import Foundation
import MailboxLog
import TestSupport

/// Words, then options: `append DIR PREFIX COUNT --key HEX --unsynced …`.
struct Arguments {
  private var words: [String] = []
  private var options: [(name: String, value: String)] = []

  init(_ arguments: [String]) {
    let flags: Set = [
      "--unsynced", "--one-shot", "--unmapped", "--group", "--read-only", "--slowest", "--until-empty", "--each-line", "--fixed-id",
      "--fork", "--keep",
    ]
    var rest = arguments[...]
    while let next = rest.popFirst() {
      if next.hasPrefix("--") {
        options.append((next, flags.contains(next) ? "" : rest.popFirst() ?? ""))
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
  func value(_ name: String) -> String? { options.last { $0.name == name }?.value }
  func number(_ name: String, default value: Int) -> Int { self.value(name).flatMap { Int($0) } ?? value }

  /// How the handles on the directory that the first word names are opened.
  func handles() throws -> ProcessHandles {
    var handles = ProcessHandles(directory: self[0])
    if let key = value("--key") { handles.options.key = try EncryptionKey(Self.bytes(key)) }
    handles.options.durability = has("--unsynced") ? .processCrash : .powerLoss
    handles.options.access = has("--read-only") ? .readOnly : .readWrite
    handles.options.permissions = has("--group") ? .group : .owner
    handles.ledger = value("--ledger")
    handles.modes = value("--modes-to")
    handles.isUnmapped = has("--unmapped")
    for option in options where option.name == "--stop-at" || option.name == "--kill-at" {
      handles.traps.append((option.value, option.name == "--stop-at" ? SIGSTOP : SIGKILL))
    }
    return handles
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = digits[...]
    while rest.count >= 2 {
      bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}

/// Ends the process unless the body throws this.
func require(_ expected: LogError, _ place: String, _ body: () throws -> Void) {
  do { try body() } catch {
    return require(error as? LogError == expected, "\(place): \(error) in place of \(expected)")
  }
  stop("\(place): no error in place of \(expected)")
}
