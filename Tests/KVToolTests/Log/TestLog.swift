import Foundation
import MailboxLog
import TestSupport

/// A key-value log in a temporary directory of its own, written by the library.
struct TestLog {
  let directory = TemporaryDirectory()
  let path: String

  init(key: [UInt8]? = nil, _ fill: (KeyValueLog) throws -> Void) throws {
    path = directory.path(of: "app.kvlog")
    let log = try KeyValueLog(path: path, options: LogOptions(key: try key.map { try EncryptionKey($0) }))
    try fill(log)
    log.close()
  }

  /// With a value of each type, a key that was removed, and one that was set twice.
  static func mixed(key: [UInt8]? = nil) throws -> TestLog {
    try TestLog(key: key) { log in
      try log.set("old", forKey: "text")
      try log.set([UInt8]([0, 255, 10]), forKey: "bytes")
      try log.set(Int64.min, forKey: "int")
      try log.set(UInt64.max, forKey: "uint")
      try log.set(-0.5, forKey: "double")
      try log.set(true, forKey: "bool")
      try log.set(LogTimestamp(secondsSinceReferenceDate: 0.25), forKey: "date")
      try log.set("gone", forKey: "removed")
      try log.removeValue(forKey: "removed")
      try log.set("a\tb é", forKey: "text")
      try log.set("later", forKey: "expiring", expiresAfter: .seconds(3600))
    }
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
  func replace(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// Beside the log. - Returns: its path.
  func file(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    directory.write(bytes, to: name)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path(of: name))
    return directory.path(of: name)
  }

  func keyOption(_ key: [UInt8]?, _ name: String = "key") throws -> [String] {
    try key.map { ["--key-file", try file(name, $0)] } ?? []
  }

  /// The one key in `ls`, whatever else stands there.
  static func keys(_ list: ChildOutcome) -> [String] {
    list.lines.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[5]) }
  }
}
