import CSystem
import MailboxLog
import ObjectStorage
import StorageEngine
import StorageIO

/// What `doctor` says about a mailbox, a log or a store.
struct FileCheck {
  private let diagnosis: Diagnosis
  private let invocation: Invocation
  private let path: String
  private let system: SystemCalls

  init(_ diagnosis: Diagnosis, _ invocation: Invocation) {
    self.diagnosis = diagnosis
    self.invocation = invocation
    path = invocation.path
    system = invocation.system
  }

  /// - Throws: when nothing has the path, or it is no file of ours.
  @discardableResult
  static func recognize(_ invocation: Invocation) throws -> (Target, Subject) {
    let target = try invocation.target()
    let kind = Subject(of: invocation.path, invocation.system) ?? .mailbox
    if kind == .mailbox, target.isFile { _ = try target.segment() }
    return (target, kind)
  }

  func run() throws {
    let (target, kind) = try Self.recognize(invocation)
    let paths = try target.segmentPaths()
    try diagnosis.add(.ok, path, "a \(kind.rawValue)\(target.isFile ? "" : " of \(counted(paths.count, "segment"))")")
    let directory = target.isFile ? PathParts(path).directory : path
    try checkFileSystem()
    if let problem = DirectoryRights.problem(of: directory, system) {
      try diagnosis.add(.problem, directory, "files can be taken away or put in their place: \(problem)")
    }
    try checkLitter(directory)
    for path in paths { try checkFile(path, kind) }
    if kind == .store { return try checkStore() }
    let key = try key()
    for path in paths { try checkRecords(path, isLog: kind == .log, key) }
  }

  private func checkFileSystem() throws {
    var kind = FileSystemKind.mayAllocateAgain
    guard system.fileSystem(path, &kind) == 0 else { return }
    switch kind {
    case .network:
      try diagnosis.add(.problem, path, "on a network file system, where locks and mappings don't hold: move it to a local one")
    case .mayAllocateAgain:
      try diagnosis.add(.ok, path, "on a file system that may need room to overwrite: every write goes through a system call")
    case .overwritesInPlace: try diagnosis.add(.ok, path, "on a file system that overwrites in place")
    }
  }

  private func checkLitter(_ path: String) throws {
    let directory = StorageDirectory(system, path: path, fileMode: 0, directoryMode: 0, forcesModes: false)
    let names = (try? directory.temporaryNames()) ?? []
    if names.isEmpty { return }
    try diagnosis.add(
      .note, path,
      "\(counted(names.count, "temporary file")): being made now, or left by a process that died; remove them when nobody writes")
  }

  private func checkFile(_ path: String, _ kind: Subject) throws {
    var status: FileStatus?
    guard system.status(path: path, &status) == 0, let status else { return }
    if status.mode & 0o002 != 0 {
      try diagnosis.add(.problem, path, "every user may write to it (mode \(octal(status.mode))): run chmod o-w on it")
    } else if status.mode & 0o004 != 0 {
      try diagnosis.add(.note, path, "every user may read it (mode \(octal(status.mode))); `chmod o-r` if that isn't meant")
    }
    if status.owner != system.effectiveUser() { try diagnosis.add(.note, path, "belongs to user \(status.owner)") }
    if status.linkCount > 1, kind != .mailbox {
      try diagnosis.add(
        .problem, path,
        "has \(status.linkCount) names: compaction replaces one of them, and the others go their own way; remove them")
    }
    try checkWriting(path)
    try checkLock(path, status)
  }

  /// Opens for writing and writes nothing: that changes no time.
  private func checkWriting(_ path: String) throws {
    let descriptor = system.open(path, flags: O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode: 0)
    if descriptor >= 0 {
      _ = system.close(Int32(descriptor))
    } else {
      try diagnosis.add(.note, path, "can't be written to by this user: \(SystemCalls.message(Int32(-descriptor)))")
    }
  }

  /// A lock that one process has at two looks isn't a passing one.
  private func checkLock(_ path: String, _ status: FileStatus) throws {
    let first = LockHolders.processes(of: status, system)
    if first.isEmpty { return }
    system.sleep(nanoseconds: 250_000_000)
    for process in LockHolders.processes(of: status, system) where first.contains(process) {
      try diagnosis.add(
        .problem, path, "process \(process) has held its lock for a quarter of a second: if it is stopped, let it go on or end it")
    }
  }

  private func checkRecords(_ path: String, isLog: Bool, _ key: EncryptionKey?) throws {
    let inspection: SegmentInspection
    do {
      inspection = try SegmentInspection(path: path, key: key, isLog: isLog)
    } catch {
      return try diagnosis.add(.problem, path, ToolFailure(error).message ?? "")
    }
    if let fault = inspection.headerFault {
      return try diagnosis.add(.problem, path, "\(fault): restore a backup; nothing else opens it")
    }
    if inspection.isEncrypted {
      try diagnosis.add(.ok, path, key != nil ? "encrypted, and the key fits" : "encrypted")
    }
    if inspection.isCopy {
      try diagnosis.add(
        .note, path, "a copy of another file: the first who writes looks at what was never synced, which takes a moment")
    }
    let words = SegmentWords(inspection)
    if let last = words.lastAppendTime, last > UInt64(max(0, system.realtimeMicroseconds())) + 60_000_000 {
      try diagnosis.add(
        .problem, path,
        "its last record is of \(TimestampText.text(microseconds: Int64(last))), and the clock is behind that: set the clock")
    }
    if let committed = words.committedEnd, committed > inspection.fileByteCount {
      try diagnosis.add(.problem, path, "cut off: `kvtool recover` salvages what is left")
    }
    for word in words.damaged {
      try diagnosis.add(
        .problem, path, "the word '\(word.name)' fails its check: `kvtool verify` says more, and the next writer rebuilds it")
    }
  }

  /// Read once: a descriptor gives it no second time. nil also for a key file that can't be used, which was said before.
  private func key() throws -> EncryptionKey? {
    let source = try KeySource(invocation.arguments)
    return invocation.arguments.has(.keyFile) ? (try? source?.key(system)) ?? nil : try source?.key(system)
  }

  private func checkStore() throws {
    let inspection = try StoreInspection(system, path: path)
    if inspection.isSealed { try diagnosis.add(.ok, path, "encrypted") }
    guard let lock = try LockInspection.read(system, path: path + ".lock", fileID: inspection.fileID) else { return }
    let alive = Set(lock.holders.filter { $0.state != .dead }.map(\.process)).sorted()
    if !alive.isEmpty {
      try diagnosis.add(.ok, path, "open in \(counted(alive.count, "process")): \(alive.map { "\($0)" }.joined(separator: ", "))")
    }
  }

  private func octal(_ mode: UInt32) -> String { String(mode & 0o7777, radix: 8) }
}
