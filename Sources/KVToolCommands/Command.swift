/// A verb of the tool: everything that the parser, the usage, the help and the 'did you mean' know about it.
struct Command: Sendable {
  enum KeyUse: Sendable {
    case never
    /// Does without one; checks it when it is given.
    case optional
    /// Needed when the file is encrypted.
    case whenEncrypted
  }

  let name: String
  /// Other names of the same command.
  var aliases: [String] = []
  /// One line, a verb first.
  let summary: String
  var operands: [Operand] = []
  var options: [CommandOption] = []
  /// The first is the default; empty where the output has one form.
  var formats: [OutputFormat] = []
  var keyUse = KeyUse.never
  /// Whether it changes or makes a file. All others change nothing, not even a time of access.
  var writes = false
  /// Paragraphs for `help NAME`.
  var details = ""
  /// What the first operand names, for this form of the command.
  var subject = Subject.mailbox
  let handler: @Sendable (Invocation) throws -> ExitCode
  /// The same verb on a store.
  var store: StoreForm?

  /// Those of its own and those that follow from what it does, in every form.
  var allOptions: [CommandOption] {
    var all = options
    for option in store?.options ?? [] where !all.contains(where: { $0.name == option.name }) { all.append(option) }
    let further = (store?.formats ?? []).filter { !formats.contains($0) }
    if formats.count + further.count > 1 { all.append(.format(formats + further)) }
    if keyUse != .never { all += CommandOption.keySources }
    return all + [.help]
  }
}

/// What the first operand of a command names.
enum Subject: String, Sendable {
  case nothing, mailbox, store
}

/// What a verb of mailboxes does on a store.
struct StoreForm: Sendable {
  let operands: [Operand]
  var options: [CommandOption] = []
  /// The first is the default; empty where the output has one form.
  var formats: [OutputFormat] = []
  var keyUse = Command.KeyUse.whenEncrypted
  /// Paragraphs for `help NAME`.
  var details = ""
  let handler: @Sendable (Invocation) throws -> ExitCode
}

/// A word of the command line that isn't an option.
struct Operand: Sendable {
  let name: String
  let documentation: String
  var isOptional = false
}

/// An option of a command.
struct CommandOption: Sendable {
  enum Value: Sendable {
    case flag
    /// A whole number from 0.
    case count(String)
    case text(String)
    case choice([String])
  }

  /// Without the dashes.
  let name: String
  var letter: Character?
  var value = Value.flag
  var isRepeatable = false
  let documentation: String

  /// What stands for the value in the usage; nil for a flag.
  var valueName: String? {
    switch value {
    case .flag: nil
    case .count(let name), .text(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }
}

enum OutputFormat: String, Sendable, CaseIterable { case text, json, jsonl, csv, hex }
