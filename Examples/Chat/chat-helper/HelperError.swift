internal import ChatPush
internal import MailboxLog

/// Why a helper gives up. What it said `ok` to stays in the mailbox.
enum HelperError: Error {
  /// The command line isn't as `HelperArguments.usage` says.
  case usage
  /// A key file is missing, of the wrong length, or readable by others.
  case keyFile(path: String, reason: String)
  case push(PushError)
  case mailbox(LogError)
  case input(errno: Int32)

  /// As in `sysexits.h`.
  var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .push: 65
    case .keyFile: 77
    case .mailbox, .input: 74
    }
  }
}

extension HelperError: CustomStringConvertible {
  var description: String {
    switch self {
    case .usage: HelperArguments.usage
    case .keyFile(let path, let reason): "\(path): \(reason)"
    case .push(let error): error.description
    case .mailbox(let error): error.description
    case .input(let errno): "standard input can't be read (errno \(errno))"
    }
  }
}
