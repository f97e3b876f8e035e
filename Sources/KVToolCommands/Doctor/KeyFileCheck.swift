import MailboxLog
import StorageIO

/// What `doctor` says about the file that a key is in.
struct KeyFileCheck {
  private let diagnosis: Diagnosis
  private let invocation: Invocation

  init(_ diagnosis: Diagnosis, _ invocation: Invocation) {
    self.diagnosis = diagnosis
    self.invocation = invocation
  }

  func run() throws {
    guard let path = invocation.arguments.text(.keyFile) else { return }
    let system = invocation.system
    do { _ = try KeySource(invocation.arguments)?.key(system) } catch let failure as ToolFailure {
      if failure.code == .usage { throw failure }
      return try diagnosis.add(.problem, path, failure.message ?? "")
    }
    var isSafe = true
    var status: FileStatus?
    _ = system.status(path: path, &status)
    if let status, status.owner != system.effectiveUser(), status.owner != 0 {
      isSafe = false
      try diagnosis.add(.problem, path, "the key file belongs to user \(status.owner), who can change it: make it your own")
    }
    if let problem = DirectoryRights.problem(of: PathParts(path).directory, system) {
      isSafe = false
      try diagnosis.add(.problem, path, "another key can be put in its place: \(problem)")
    }
    if isSafe { try diagnosis.add(.ok, path, "holds a key, and only its owner can get at it") }
  }
}

/// Who may take files away from a directory and put others in their place.
enum DirectoryRights {
  /// What is wrong and what to do; nil when nothing is.
  static func problem(of path: String, _ system: SystemCalls) -> String? {
    var status: FileStatus?
    guard system.status(path: path, &status) == 0, let status else { return nil }
    let isSticky = status.mode & 0o1000 != 0
    if status.mode & 0o002 != 0, !isSticky {
      return "every user may write to \(printable(path)): run chmod o-w on it"
    }
    return nil
  }
}
