/// Why a run ends before its report.
enum ChatError: Error {
  case usage(String)
  case input(path: String, reason: String)
  case directoryInUse(path: String)
  case system(call: String, errno: Int32)
  /// A child ended that nobody killed.
  case childFailed(name: String, end: ProcessEnd)
  /// A helper said what it can't say: something that isn't the acknowledgement of what it was sent.
  case unexpectedAnswer(String)
  case stalled(name: String, seconds: Int)

  /// As in `sysexits.h`.
  var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .input: 66
    case .directoryInUse: 73
    case .system, .childFailed, .unexpectedAnswer, .stalled: 70
    }
  }
}

extension ChatError: CustomStringConvertible {
  var description: String {
    switch self {
    case .usage(let problem): "\(problem); --help lists the options"
    case .input(let path, let reason): "\(path): \(reason)"
    case .directoryInUse(let path): "\(path) isn't empty: choose a new directory"
    case .system(let call, let errno): "\(call) failed with errno \(errno)"
    case .childFailed(let name, let end): "\(name) ended by itself: \(end)"
    case .unexpectedAnswer(let line): "a helper answered '\(line)'"
    case .stalled(let name, let seconds): "\(name) made no progress for \(seconds) s"
    }
  }
}
