/// What the command line says.
struct DaemonOptions: Sendable {
  enum Sink: Sendable {
    /// An object store in this file.
    case store(String)
    /// One line of JSON an entry, to standard output.
    case lines
  }
  /// What the key of the mailbox is for.
  enum Key: Sendable {
    /// The key that helpers have too.
    case shared(credential: String)
    /// The private half of the key that helpers seal to.
    case reading(credential: String)
  }
  struct UsageError: Error { let reason: String }

  static let usage = """
    Usage: mailbox-drain MAILBOX (--store FILE | --jsonl) [options]
           mailbox-drain append MAILBOX ID TEXT [--key NAME]

    Drains a mailbox as entries come, until SIGTERM or SIGINT: then it finishes the batch that it is in, and exits with 0.
    Keys are credentials: files of $CREDENTIALS_DIRECTORY, where systemd puts what LoadCredential= names.

      --store FILE        promotes each entry into an object store, exactly once
      --jsonl             writes each entry as a line to standard output, at least once
      --key NAME          the mailbox is encrypted with this credential, 32 or 64 bytes
      --read-key NAME     helpers have the public half of this credential, 32 bytes
      --store-key NAME    the store is encrypted with this credential
      --stop-timeout N    seconds that a batch may take after the signal, 10; then the exit code is 75, and the batch isn't there
      --once              drains what is there, and exits
      --help              this text

    Exit code: 0 told to stop, or --once; 64 usage; 75 something that may pass, systemd starts it again; 78 a key that is missing or wrong.

    """

  var mailbox = ""
  var sink: Sink?
  var key: Key?
  var storeKey: String?
  var stopTimeout = 10
  var isOnce = false
  var isHelp = false
  /// For trying it out.
  var entry: (id: String, text: String)?

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var names: [String] = []
    func value(of option: String) throws(UsageError) -> String {
      guard let value = rest.popFirst() else { throw UsageError(reason: "\(option) needs a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--store": sink = .store(try value(of: argument))
      case "--jsonl": sink = .lines
      case "--key": key = .shared(credential: try value(of: argument))
      case "--read-key": key = .reading(credential: try value(of: argument))
      case "--store-key": storeKey = try value(of: argument)
      case "--stop-timeout":
        guard let seconds = Int(try value(of: argument)), seconds > 0 else { throw UsageError(reason: "\(argument) takes seconds") }
        stopTimeout = seconds
      case "--once": isOnce = true
      case "--help", "-h": isHelp = true
      case _ where argument.hasPrefix("-"): throw UsageError(reason: "unknown option \(argument)")
      default: names.append(argument)
      }
    }
    if isHelp { return }
    if names.first == "append" {
      guard names.count == 4 else { throw UsageError(reason: "append takes a mailbox, an id and a text") }
      mailbox = names[1]
      entry = (names[2], names[3])
    } else {
      guard names.count == 1 else { throw UsageError(reason: "one mailbox is drained") }
      guard sink != nil else { throw UsageError(reason: "where to: --store FILE or --jsonl") }
      mailbox = names[0]
    }
  }
}
