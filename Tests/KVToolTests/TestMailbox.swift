import Foundation
import MailboxLog
import TestSupport

/// A mailbox in a temporary directory, written by the library.
struct TestMailbox {
  let directory = TemporaryDirectory()
  let path: String

  init(key: [UInt8]? = nil, durability: LogDurability = .powerLoss, _ fill: (MailboxWriter) throws -> Void) throws {
    path = directory.path(of: "inbox.mailbox")
    var options = LogOptions(key: try key.map { try EncryptionKey($0) })
    options.durability = durability
    let writer = try MailboxWriter(directory: path, options: options)
    try fill(writer)
    writer.close()
  }

  /// Of the first segment.
  var segmentPath: String { path + "/00000001.segment" }

  func segmentBytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: segmentPath))) }
  func replaceSegment(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: segmentPath)) }

  /// Beside the mailbox. - Returns: its path.
  func file(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    directory.write(bytes, to: name)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path(of: name))
    return directory.path(of: name)
  }
}

/// Everything about a mailbox that inspecting must not change: names, contents, sizes, modes, inodes, and all three times,
/// of its files and of the directory itself.
struct Fingerprint: Equatable {
  private let listing: String
  private let contents: [[UInt8]]

  init(_ mailbox: String) throws {
    // Contents first: reading them here may touch a time of access, reading them in the tool may not.
    contents = try FileManager.default.contentsOfDirectory(atPath: mailbox).sorted().map { name in
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: mailbox + "/" + name)))
    }
    listing = try ChildProcess("/bin/sh", ["-c", "stat -c '%n %s %a %i %x %y %z' '\(mailbox)' '\(mailbox)'/*"]).wait().output
  }
}
