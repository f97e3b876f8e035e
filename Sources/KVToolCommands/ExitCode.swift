/// How the tool ends. The numbers are part of its contract with scripts and never change their meaning.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  /// The answer is no: absent, different, damage found by `verify`.
  case no = 1
  case damageSkipped = 2
  case usage = 64
  /// Not ours, newer than this build, empty, cut in its header, or an input that is too large.
  case badData = 65
  case noSuchFile = 66
  case cannotCreate = 73
  /// Input or output failed, or there is no space.
  case inputOutput = 74
  case busy = 75
  /// No permission, no key, the wrong key, or a key for a plain file.
  case noPermission = 77
  case interrupted = 130

  /// For `help exit-codes`.
  var meaning: String {
    switch self {
    case .success: "yes: done, or nothing wrong"
    case .no: "the answer is no: absent, or `verify` found damage"
    case .damageSkipped: "damage was skipped, and everything else was done"
    case .usage: "the command line is wrong"
    case .badData: "not a file of this kind, newer than this build, empty, cut in its header; or an input that is too large"
    case .noSuchFile: "no such file"
    case .cannotCreate: "cannot create the output"
    case .inputOutput: "input or output failed, or no space is left"
    case .busy: "busy: another process holds the lock"
    case .noPermission: "no permission, no key, a wrong key, or a key for a plain file"
    case .interrupted: "interrupted"
    }
  }
}
