internal import ChatPush
internal import FoundationEssentials
internal import MailboxLog

/// Where a run's files are: the mailbox, the database and the two keys, in a directory that only its owner can enter.
struct Workplace: Sendable {
  let directory: String
  private let isTemporary: Bool
  let executable: String
  let helper: String

  var mailbox: String { "\(directory)/inbox.mailbox" }
  var database: String { "\(directory)/messages.sqlite" }
  var pushKeyFile: String { "\(directory)/push.key" }
  var mailboxKeyFile: String { "\(directory)/mailbox.key" }

  init(_ options: ChatOptions) throws {
    let files = FileManager.default
    executable = try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    helper = options.helper ?? Self.sibling(of: executable, "chat-helper")
    if !files.isExecutableFile(atPath: helper) { throw ChatError.input(path: helper, reason: "no helper is there") }
    isTemporary = options.directory == nil
    directory = options.directory ?? "\(files.temporaryDirectory.path)/chat-\(UUID().uuidString)"
    if try files.fileExists(atPath: directory) && !files.contentsOfDirectory(atPath: directory).isEmpty {
      throw ChatError.directoryInUse(path: directory)
    }
    try files.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A program that was built together with this one.
  static func sibling(of executable: String, _ name: String) -> String {
    "\(executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))/\(name)"
  }

  var kvtool: String { Self.sibling(of: executable, "kvtool") }

  func mailboxOptions(isPlain: Bool) throws -> LogOptions {
    isPlain ? LogOptions() : LogOptions(key: try EncryptionKey(KeyFile.read(mailboxKeyFile)))
  }

  /// Two keys, because two parties hold them: the server and the helper the one, the helper and the app the other.
  func makeKeys() throws -> PushCipher {
    let pushKey = try PushCipher.randomKey()
    try KeyFile.write(pushKey, to: pushKeyFile)
    var mailboxKey: [UInt8] = []
    try EncryptionKey.random().withBytes { bytes throws(LogError) in
      for index in bytes.indices { mailboxKey.append(bytes[index]) }
    }
    try KeyFile.write(mailboxKey, to: mailboxKeyFile)
    return try PushCipher(key: pushKey)
  }

  /// Removes everything, unless the directory was asked for.
  func clear() {
    if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
  }
}
