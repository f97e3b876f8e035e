import MailboxLog
import StorageIO

/// `backup`: a copy of a log as it is at one moment.
enum Backup {
  static let command = Command(
    name: "backup", summary: "copy a log, as it is at one moment, to a new file",
    operands: [.log, Operand(name: "OUT", documentation: "the file to make; it must not exist yet")], options: [LogRewrite.dryRun],
    keyUse: .optional, writes: true,
    details: """
      Nobody waits meanwhile. OUT appears under its name when it is complete, durable and checked, and has the log's key, for which it isn't
      asked: a key that is given checks tags as well as checksums. Exit 2: the log is damaged, and so is the copy.
      """,
    subject: .log, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    _ = try SegmentInspection(path: invocation.path, key: key, isLog: true)
    let output = try NewFile(invocation.arguments.operands[1], invocation.system)
    if invocation.arguments.has(LogRewrite.dryRun) {
      let copy = try CheckedCopy(invocation.path, key, invocation)
      try invocation.output.line("would be backed up: \(copy.summary)")
      return copy.notes.finish()
    }
    let copy = try output.fill { file in
      // Opens nothing: whatever the key is, records are copied as they are.
      try about(creating: true) { try KeyValueLog.restore(from: invocation.path, to: file) }
      return try CheckedCopy(file, key, invocation)
    }
    try invocation.output.line("backed up: \(copy.summary)")
    return copy.notes.finish()
  }
}

/// `restore`: puts a backup in a log's place.
enum Restore {
  private static let force = CommandOption(name: "force", documentation: "take a backup that is damaged")

  static let command = Command(
    name: "restore", summary: "put a backup in the place of a log",
    operands: [
      Operand(name: "BACKUP", documentation: "what `backup` made; it stays as it is"),
      Operand(name: "LOG", documentation: "the log that it takes the place of; it needn't be there"),
    ],
    options: [LogRewrite.dryRun, force], keyUse: .optional, writes: true,
    details: """
      What is in LOG is gone then. Through a new file and a swap: killed at any instant, LOG is the one or the other, whole; who has it open
      sees the restored contents. A backup is checked first, and a file that is no log isn't replaced. Busy (75): LOG's lock was held for a
      second.
      """,
    subject: .log, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let path = invocation.arguments.operands[1]
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let source = try CheckedCopy(invocation.path, key, invocation)
    if source.notes.finish() != .success, !invocation.arguments.has(force) {
      throw ToolFailure(.badData, "the backup is damaged; \(printable(path)) is as it was (--force takes it all the same)")
    }
    try checkTarget(path, source.inspection, invocation.system)
    if invocation.arguments.has(LogRewrite.dryRun) {
      try invocation.output.line("would be restored: \(source.summary)")
      return .success
    }
    do {
      try about(path, creating: true) { try KeyValueLog.restore(from: invocation.path, to: path) }
    } catch let error as ToolFailure {
      let now = try? SegmentInspection(path: path, key: nil, isLog: true)
      let truth = now?.segmentID == source.inspection.segmentID ? "it holds the backup's contents" : "it is as it was"
      throw ToolFailure(error.code, "\(error.message ?? "interrupted"); \(truth)", path: path)
    }
    try invocation.output.line("restored: \(source.summary)")
    return .success
  }

  /// Only a log gives way, and not to itself.
  private static func checkTarget(_ path: String, _ source: SegmentInspection, _ system: SystemCalls) throws {
    var (target, backup): (FileStatus?, FileStatus?)
    if system.status(path: path, &target) < 0 { return }
    _ = system.status(path: source.path, &backup)
    if target?.inode == backup?.inode, target?.device == backup?.device {
      throw ToolFailure.usage("\(printable(path)) is the backup itself")
    }
    guard Subject(of: path, system) == .log else {
      throw ToolFailure(.badData, "not a log; it isn't replaced", path: path)
    }
  }
}

/// A file that was looked at from front to back.
private struct CheckedCopy {
  let inspection: SegmentInspection
  let notes: DamageNotes
  let summary: String

  /// - Parameter key: nil checks checksums alone.
  init(_ path: String, _ key: EncryptionKey?, _ invocation: Invocation) throws {
    inspection = try SegmentInspection(path: path, key: key, isLog: true)
    if let fault = inspection.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
    notes = DamageNotes(path: invocation.path)
    let (notes, source) = (notes, LogSource(inspection, key, notes, invocation.system))
    try source.forEachDamage { notes.add("\(PositionText.bytes($0)): \($1)") }
    if let committed = SegmentWords(inspection).committedEnd, committed > inspection.fileByteCount {
      notes.add("cut off at byte \(inspection.fileByteCount); records were committed up to byte \(committed)")
    }
    let totals = try LogTotals(inspection)
    summary = "\(counted(totals.recordCount, "record")), \(totals.recordByteCount) bytes"
  }
}
