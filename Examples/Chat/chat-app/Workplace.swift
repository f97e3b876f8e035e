internal import Anteroom
internal import ChatPush
internal import FoundationEssentials

/// Where a run's files are: the mailbox, the store and the three keys, in a directory that only its owner can enter.
struct Workplace: Sendable {
  let directory: String
  private let isTemporary: Bool
  let executable: String
  let helper: String

  var mailbox: String { "\(directory)/inbox.mailbox" }
  func database(_ target: MessageTarget) -> String { "\(directory)/messages.\(target.rawValue)" }
  var pushKeyFile: String { "\(directory)/push.key" }
  var mailboxKeyFile: String { "\(directory)/mailbox.key" }
  var storeKeyFile: String { "\(directory)/store.key" }

  init(_ options: ChatOptions) throws {
    try self.init(directory: options.directory, helper: options.helper)
    if !FileManager.default.isExecutableFile(atPath: helper) { throw ChatError.input(path: helper, reason: "no helper is there") }
  }

  init(directory: String?, helper: String?) throws {
    let files = FileManager.default
    executable = try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    self.helper = helper ?? Self.sibling(of: executable, "chat-helper")
    isTemporary = directory == nil
    let directory = directory ?? "\(files.temporaryDirectory.path)/chat-\(UUID().uuidString)"
    self.directory = directory
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

  /// Opens mailbox and store as the app does. - Parameter hasPushes: whether entries may be pushes that nobody has opened.
  func open(_ target: MessageTarget, isPlain: Bool, hasPushes: Bool = true) async throws -> any MessageStore {
    try await target.open(
      mailbox: mailbox, options: mailboxOptions(isPlain: isPlain), pushKey: hasPushes ? KeyFile.read(pushKeyFile) : nil,
      database: database(target), storeKey: isPlain ? nil : KeyFile.read(storeKeyFile))
  }

  /// Three keys, because who holds them differs: the server and the helper the first, the helper and the app the second, the
  /// app alone the third.
  func makeKeys() throws -> PushCipher {
    let pushKey = try PushCipher.randomKey()
    try KeyFile.write(pushKey, to: pushKeyFile)
    try KeyFile.write(try Self.randomKey(), to: mailboxKeyFile)
    try KeyFile.write(try Self.randomKey(), to: storeKeyFile)
    return try PushCipher(key: pushKey)
  }

  private static func randomKey() throws -> [UInt8] {
    var key: [UInt8] = []
    try EncryptionKey.random().withBytes { bytes throws(LogError) in
      for index in bytes.indices { key.append(bytes[index]) }
    }
    return key
  }

  /// Removes everything, unless the directory was asked for.
  func clear() {
    if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
  }
}
