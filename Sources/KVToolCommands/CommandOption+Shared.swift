extension CommandOption {
  static let help = CommandOption(name: "help", letter: "h", documentation: "print this and end")
  static let raw = CommandOption(name: "raw", documentation: "print the exact bytes and nothing after them")
  static let prefix = CommandOption(
    name: "prefix", value: .text("TEXT"), documentation: "only ids that begin with TEXT (escapes as `ls` prints them)")
  static let limit = CommandOption(name: "limit", value: .count("N"), documentation: "stop after N records")
  static let id = CommandOption(name: "id", value: .text("ID"), documentation: "the id, with escapes as `ls` prints them")
  static let keyHex = CommandOption(
    name: "key-hex", value: .text("BYTES"),
    documentation: "the id or the key as hex digits, as base64:TEXT, or as @FILE that holds its bytes")
  static let output = CommandOption(
    name: "output", letter: "o", value: .text("OUT"), documentation: "what to make; it must not exist yet")
  static let all = CommandOption(name: "all", documentation: "acknowledged records too")

  static func format(_ formats: [OutputFormat]) -> CommandOption {
    CommandOption(
      name: "format", value: .choice(formats.map(\.rawValue)), documentation: "how to print; \(formats[0].rawValue) by default")
  }

  static let keyFile = CommandOption(
    name: "key-file", value: .text("FILE"), documentation: "read the key from FILE, which only its owner may be able to read")
  static let keyDescriptor = CommandOption(
    name: "key-fd", value: .count("N"), documentation: "read the key from the open file descriptor N, to its end")
  static let keyEnvironment = CommandOption(
    name: "key-env", value: .text("NAME"), documentation: "take the key from the environment variable NAME")
  static let keyCommand = CommandOption(
    name: "key-command", value: .text("COMMAND"), documentation: "run COMMAND with sh and take the key from its output")

  /// At most one of them; with none, a terminal is asked when a key turns out to be needed.
  static let keySources = [keyFile, keyDescriptor, keyEnvironment, keyCommand]

  /// The same for a key that a file is to get.
  static let newKeySources = keySources.map { option in
    CommandOption(
      name: "new-" + option.name, value: option.value,
      documentation: option.documentation.replacing("the key", with: "the new key"))
  }

  /// Why a key is never an argument.
  static let keyRefusal = """
    a key is never taken from the command line: every user of the machine can see arguments in the list of processes, and \
    shells keep them in their history; use --key-file, --key-fd, --key-env or --key-command (see `kvtool help keys`)
    """
}
