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
  var store: FileForm?
  /// The same verb on a key-value log.
  var log: FileForm?

  /// Those of its own and those that follow from what it does, in every form.
  var allOptions: [CommandOption] {
    var all = options
    let others = [store, log].compactMap { $0 }
    for option in others.flatMap(\.options) where !all.contains(where: { $0.name == option.name }) { all.append(option) }
    var everyFormat = formats
    for format in others.flatMap(\.formats) where !everyFormat.contains(format) { everyFormat.append(format) }
    if everyFormat.count > 1 { all.append(.format(everyFormat)) }
    if keyUse != .never || others.contains(where: { $0.keyUse != .never }) { all += CommandOption.keySources }
    return all + [.help]
  }
}

/// What the first operand of a command names.
enum Subject: String, Sendable {
  case nothing, mailbox, store, log

  var plural: String { self == .mailbox ? "mailboxes" : "\(rawValue)s" }
}

typealias StoreForm = FileForm

/// What a verb does on another kind of file than its first.
struct FileForm: Sendable {
  let operands: [Operand]
  var options: [CommandOption] = []
  /// The first is the default; empty where the output has one form.
  var formats: [OutputFormat] = []
  var keyUse = Command.KeyUse.whenEncrypted
  var writes = false
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

enum OutputFormat: String, Sendable, CaseIterable { case text, json, jsonl, csv, hex, prometheus }
