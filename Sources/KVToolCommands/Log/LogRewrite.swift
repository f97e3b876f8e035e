import MailboxLog
import StorageIO

/// What the commands that write a log anew have in common: they look first, and say in the end which file is there.
struct LogRewrite {
  static let dryRun = CommandOption(name: "dry-run", documentation: "look, and say what would be done; change nothing")
  static let force = CommandOption(
    name: "force", documentation: "also when the log is damaged: what can't be read is left out, and gone")

  let invocation: Invocation
  let source: LogSource
  let live: LiveTotals
  private let before: UInt64

  /// - Throws: `badData` for a damaged log, unless it is forced: what is rewritten loses what can't be read.
  init(_ invocation: Invocation, key: EncryptionKey?) throws {
    self.invocation = invocation
    source = LogSource(
      try LogSource.open(invocation.path, key), key, DamageNotes(path: invocation.path), invocation.system)
    live = try LiveTotals(source)
    before = source.inspection.fileByteCount
    if source.finish() != .success, !invocation.arguments.has(Self.force) {
      throw ToolFailure(
        .badData, "damaged, and what can't be read would be gone; `kvtool recover` salvages into another file, --force goes on")
    }
  }

  var isDryRun: Bool { invocation.arguments.has(Self.dryRun) }

  /// - Parameter name: what is done to the log, as in 'would be compacted'.
  func announce(_ name: String) throws -> ExitCode {
    try invocation.output.line(
      "would be \(name): \(counted(live.keyCount, "key")), \(before) bytes, of which \(live.byteCount) are live")
    return .success
  }

  /// Runs the change, and after a failure says which of two files is there.
  /// - Parameters:
  ///   - key: of the log afterwards.
  ///   - hasOtherKey: whether that is another one than before.
  func run(_ name: String, key: EncryptionKey?, hasOtherKey: Bool, _ body: (KeyValueLog) throws -> Void) throws -> ExitCode {
    do {
      let log = try invocation.openLog(source.key)
      defer { log.close() }
      try body(log)
    } catch {
      var failure = ToolFailure(error)
      let now = try? SegmentInspection(path: invocation.path, key: key, isLog: true)
      let isReplaced = now.map { $0.segmentID != source.inspection.segmentID } ?? false
      let truth =
        isReplaced
        ? "the new file is in place\(hasOtherKey ? ", under the new key" : "")"
        : "the log is as it was\(hasOtherKey ? ", under the old key" : "")"
      failure = ToolFailure(failure.code, "\(failure.message ?? "interrupted"); \(truth)", path: failure.path)
      throw failure
    }
    let now = try SegmentInspection(path: invocation.path, key: key, isLog: true)
    if now.segmentID == source.inspection.segmentID {
      throw ToolFailure(.busy, "another process is compacting the log; nothing was changed")
    }
    try invocation.output.line("\(name): \(counted(live.keyCount, "key")), \(before) bytes before, \(now.fileByteCount) now")
    return .success
  }
}
