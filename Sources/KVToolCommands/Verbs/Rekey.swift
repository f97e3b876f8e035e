import MailboxLog

/// `rekey`, `encrypt` and `decrypt`: write a log anew under another key.
enum Rekey {
  private static let options = [LogRewrite.dryRun, LogRewrite.force]
  private static let how = """
    Through a new file that then takes the log's name: killed at any instant, exactly one of the two keys opens everything. Others that
    have the log open get an error, and open it anew with the other key. Busy (75): another process is compacting the log.
    """

  static let rekey = Command(
    name: "rekey", summary: "write an encrypted log anew under another key", operands: [.log],
    options: CommandOption.newKeySources + options, keyUse: .whenEncrypted, writes: true, details: how, subject: .log,
    handler: { invocation in
      let new = try newKey(invocation)
      return try run(invocation, "rekeyed", from: .encrypted, to: new)
    })

  static let encrypt = Command(
    name: "encrypt", summary: "write a plain log anew under a key", operands: [.log], options: options, keyUse: .optional,
    writes: true,
    details: """
      The key options name the key that it gets. \(how) The blocks of the old file are given back, not overwritten: what was plain may be
      found on the device until they are used again.
      """,
    subject: .log,
    handler: { invocation in
      guard let source = try KeySource(invocation.arguments) else {
        throw ToolFailure.usage("'encrypt' needs a key: --key-file, --key-fd, --key-env or --key-command")
      }
      return try run(invocation, "encrypted", from: .plain, to: try source.key(invocation.system))
    })

  static let decrypt = Command(
    name: "decrypt", summary: "write an encrypted log anew without a key", operands: [.log], options: options,
    keyUse: .whenEncrypted,
    writes: true, details: how, subject: .log, handler: { try run($0, "decrypted", from: .encrypted, to: nil) })

  private enum Kind { case plain, encrypted }

  private static func run(_ invocation: Invocation, _ name: String, from kind: Kind, to key: EncryptionKey?) throws -> ExitCode {
    let isEncrypted = try SegmentInspection(path: invocation.path, key: nil, isLog: true).isEncrypted
    if isEncrypted != (kind == .encrypted) {
      throw ToolFailure(.noPermission, isEncrypted ? "encrypted already; `kvtool rekey` gives it another key" : "not encrypted")
    }
    let rewrite =
      kind == .plain ? try LogRewrite(invocation, key: nil) : try invocation.withKey { try LogRewrite(invocation, key: $0) }
    if rewrite.isDryRun { return try rewrite.announce(name) }
    return try rewrite.run(name, key: key, hasOtherKey: true) { log in try log.rekey(to: key) }
  }

  private static func newKey(_ invocation: Invocation) throws -> EncryptionKey {
    guard let source = try KeySource(invocation.arguments, .new) else {
      throw ToolFailure.usage("'rekey' needs a new key: --new-key-file, --new-key-fd, --new-key-env or --new-key-command")
    }
    return try source.key(invocation.system)
  }
}
