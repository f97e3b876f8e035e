import MailboxLog

/// `compact`: writes a file anew with what is live.
enum Compact {
  static let command = Command(
    name: "compact", summary: "write a log anew with what is live, in place of the file", operands: [.log],
    options: [LogRewrite.dryRun, LogRewrite.force], keyUse: .whenEncrypted, writes: true,
    details: """
      Through a new file that then takes the log's name: killed at any instant, the name leads to the old file or to the new one, whole.
      Others go on reading and writing meanwhile. It needs room for what is live beside the log. A log also compacts itself.
      """,
    subject: .log, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let rewrite = try invocation.withKey { try LogRewrite(invocation, key: $0) }
    if rewrite.isDryRun { return try rewrite.announce("compacted") }
    return try rewrite.run("compacted", key: rewrite.source.key, hasOtherKey: false) { log in try log.compact() }
  }
}
