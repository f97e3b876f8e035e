import CSystem
import MailboxLog
import RawMemory
import StorageIO

/// `price`: what opening a file and adding one record to it costs a process.
enum Price {
  static let command = Command(
    name: "price", summary: "measure what opening a mailbox or a log and adding one durable record costs a fresh process",
    operands: [.mailbox], formats: [.text, .json], keyUse: .optional,
    details: """
      Runs this program on a copy in a temporary directory (TMPDIR, or /tmp), and once to do nothing; what it takes more is the price. Peak
      memory and page faults are the process's own; bytes written are whole pages. System calls are counted by tracing the process, for
      which no privilege is needed; where the system forbids that, it is said. The record is 100 bytes. An encrypted file needs its key.
      """,
    handler: run,
    log: FileForm(operands: [.log], formats: [.text, .json], keyUse: .optional, handler: run))

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let isLog = invocation.command.subject == .log
    let (system, target) = (invocation.system, try invocation.target())
    guard let program = system.ownExecutable() else {
      throw ToolFailure(.inputOutput, "processes can't be measured on this system")
    }
    let copy = try TemporaryCopy(system)
    defer { copy.remove() }
    let subject = try copy.add(target, isLog: isLog)
    if try copy.isEncrypted(subject, isLog: isLog), try KeySource(invocation.arguments) == nil {
      throw ToolFailure(.noPermission, "encrypted, and no key was given; see `kvtool help keys`")
    }
    let value = String(repeating: "x", count: 100)
    let arguments =
      isLog ? ["set", subject, "kvtool.price", value] : ["append", subject, "--id", "kvtool.price", "--payload", value]
    guard let empty = system.measure([program, "--version"]),
      let cost = system.measure([program] + arguments + keyArguments(invocation))
    else { throw ToolFailure(.inputOutput, "processes can't be measured on this system") }
    if cost.exitStatus != 0 {
      let code = ExitCode(rawValue: cost.exitStatus) ?? .inputOutput
      throw ToolFailure(code, "the record couldn't be added to a copy")
    }
    try print(cost, empty, invocation)
    return .success
  }

  /// The same source of the key for the process that is measured.
  private static func keyArguments(_ invocation: Invocation) -> [String] {
    CommandOption.keySources.flatMap { option in invocation.arguments.text(option).map { ["--" + option.name, $0] } ?? [] }
  }

  private static func print(_ cost: ProcessCost, _ empty: ProcessCost, _ invocation: Invocation) throws {
    func more(_ value: UInt64, than other: UInt64) -> UInt64 { value > other ? value - other : 0 }
    let facts = FactPrinter(invocation)
    try facts.open(nil)
    try facts.add("peakByteCount", number: more(cost.peakByteCount, than: empty.peakByteCount))
    try facts.add("pageFaultCount", number: more(cost.pageFaultCount, than: empty.pageFaultCount))
    if let calls = cost.systemCallCount, let none = empty.systemCallCount {
      try facts.add("systemCallCount", number: more(calls, than: none))
    } else if invocation.format == .text {
      try facts.add("systemCallCount", "can't be counted: this system forbids tracing")
    }
    if let written = cost.writtenByteCount {
      try facts.add("writtenByteCount", number: written)
    } else if invocation.format == .text {
      try facts.add("writtenByteCount", "can't be told: this system forbids tracing")
    }
    try facts.openGroup("ofAnEmptyProcess")
    try facts.add("peakByteCount", number: empty.peakByteCount)
    try facts.add("pageFaultCount", number: empty.pageFaultCount)
    if let calls = empty.systemCallCount { try facts.add("systemCallCount", number: calls) }
    try facts.close()
    try facts.close()
  }
}

/// A directory of its own for a copy of a mailbox or a log, removed in the end.
private struct TemporaryCopy {
  private let system: SystemCalls
  private let directory: StorageDirectory
  private var mailbox: StorageDirectory {
    StorageDirectory(system, path: directory.path + "/mailbox", fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
  }

  init(_ system: SystemCalls) throws {
    self.system = system
    let parent = system.environment("TMPDIR").flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) } ?? "/tmp"
    directory = StorageDirectory(
      system, path: "\(parent)/kvtool-\(hexadecimal(try system.randomNumber()))", fileMode: 0o600, directoryMode: 0o700,
      forcesModes: false)
    try about(parent, creating: true) { _ = try directory.make() }
  }

  /// - Returns: the copy's path.
  func add(_ target: Target, isLog: Bool) throws -> String {
    if isLog {
      try copy(target.path, to: directory.path + "/log", isLog: true)
      return directory.path + "/log"
    }
    _ = try mailbox.make()
    for path in try target.segmentPaths() {
      // A segment that is looked at alone has any name.
      let name = target.isFile ? "00000001.segment" : PathParts(path).name
      do { try copy(path, to: mailbox.path(of: name), isLog: false) } catch let error as LogError where !target.isFile {
        // One that can't be read costs a writer nothing, or next to it.
        if ToolFailure.code(error) != .badData, ToolFailure.code(error) != .noSuchFile { throw error }
      }
    }
    return mailbox.path
  }

  private func copy(_ path: String, to target: String, isLog: Bool) throws {
    let inspection = try SegmentInspection(path: path, key: nil, isLog: isLog)
    if let fault = inspection.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
    let file = try StorageFile(system, path: target, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try inspection.copy(to: file)
  }

  func isEncrypted(_ path: String, isLog: Bool) throws -> Bool {
    let paths = isLog ? [path] : try mailboxSegmentPaths(in: path)
    return try paths.contains { try SegmentInspection(path: $0, key: nil, isLog: isLog).isEncrypted }
  }

  func remove() {
    for place in [mailbox, directory] {
      var names: [String] = []
      try? place.forEachName { names.append($0.decodedString()) }
      for name in names { try? place.remove(name) }
      _ = system.removeDirectory(place.path)
    }
  }
}
