/// What a command line asks for, before it is done.
struct ParsedArguments {
  var operands: [String] = []
  /// By long name, in the order given; a flag has one empty text.
  var values: [String: [String]] = [:]

  func has(_ option: CommandOption) -> Bool { values[option.name] != nil }
  func text(_ option: CommandOption) -> String? { values[option.name]?.last }
  func texts(_ option: CommandOption) -> [String] { values[option.name] ?? [] }
  /// The parser has checked that it is one.
  func count(_ option: CommandOption) -> Int? { text(option).flatMap { Int($0) } }
}

/// Reads arguments against the table: options anywhere, `--name value`, `--name=value`, `-n5`, `-fn 5`, and `--` ends them.
struct ArgumentParser {
  let command: Command
  private let options: [CommandOption]
  private var rest: ArraySlice<String>
  private var parsed = ParsedArguments()

  init(_ command: Command, _ arguments: ArraySlice<String>) {
    self.command = command
    options = command.allOptions
    rest = arguments
  }

  mutating func parse() throws(ToolFailure) -> ParsedArguments {
    while let word = rest.popFirst() {
      if word == "--" {
        parsed.operands += rest
        rest = []
      } else if word.hasPrefix("--") {
        try parseLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-" {
        try parseLetters(word.dropFirst())
      } else {
        parsed.operands.append(word)
      }
    }
    if !parsed.has(.help) {
      // Which form it is shows in the file that the first operand names; until then any of them will do.
      let forms = command.forms
      let (first, count) = (forms[0], parsed.operands.count)
      if !forms.contains(where: { $0.operandCounts.contains(count) }) || forms.count == 1 { try first.check(parsed) }
    }
    return parsed
  }

  private mutating func parseLong(_ word: Substring) throws(ToolFailure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name == "key" { throw .usage(CommandOption.keyRefusal) }
    guard let option = options.first(where: { $0.name == name }) else {
      let clause = Suggestion.clause(for: "--" + name, among: options.map { "--" + $0.name })
      throw .usage("'\(command.name)' has no option '--\(printable(name))'\(clause)")
    }
    if option.valueName == nil {
      if parts.count > 1 { throw .usage("'--\(name)' takes no value") }
      try add(option, "")
    } else if parts.count > 1 {
      try add(option, String(parts[1]))
    } else if let value = rest.popFirst() {
      try add(option, value)
    } else {
      throw .usage("'--\(name)' needs a value (\(option.valueName ?? ""))")
    }
  }

  private mutating func parseLetters(_ word: Substring) throws(ToolFailure) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        throw .usage("'\(command.name)' has no option '-\(printable(String(letter)))'")
      }
      if option.valueName == nil {
        try add(option, "")
      } else if !letters.isEmpty {
        try add(option, String(letters))
        return
      } else if let value = rest.popFirst() {
        try add(option, value)
      } else {
        throw .usage("'-\(letter)' needs a value (\(option.valueName ?? ""))")
      }
    }
  }

  private mutating func add(_ option: CommandOption, _ value: String) throws(ToolFailure) {
    switch option.value {
    case .count(let name):
      guard let number = Int(value), number >= 0 else {
        throw .usage("'--\(option.name)' takes a whole number (\(name)), not '\(printable(value))'")
      }
    case .choice(let choices):
      if !choices.contains(value) {
        let clause = Suggestion.clause(for: value, among: choices)
        throw .usage("'--\(option.name)' of '\(command.name)' is one of \(choices.joined(separator: ", "))\(clause)")
      }
    case .flag, .text: break
    }
    if parsed.has(option), !option.isRepeatable { throw .usage("'--\(option.name)' was given twice") }
    parsed.values[option.name, default: []].append(value)
  }
}

extension Command {
  /// How many operands it takes.
  var operandCounts: ClosedRange<Int> { operands.count { !$0.isOptional }...operands.count }

  /// Whether the arguments are those of this form.
  func check(_ parsed: ParsedArguments) throws(ToolFailure) {
    let needed = operands.filter { !$0.isOptional }
    if parsed.operands.count < needed.count {
      // Without a first operand it isn't known which form is meant.
      let forms = parsed.operands.isEmpty ? CommandTable.command(name)?.forms ?? forms : [self]
      let missing = forms.compactMap { form in form.operands.dropFirst(parsed.operands.count).first { !$0.isOptional }?.name }
      let usages = forms.map { "usage: \(Usage.synopsis($0))" }.joined(separator: "\n")
      throw .usage("'\(name)' needs \(missing.joined(separator: " or "))\n\(usages)")
    }
    if parsed.operands.count > operands.count {
      let extra = printable(parsed.operands[operands.count])
      throw .usage("'\(name)' has no use for '\(extra)'\nusage: \(Usage.synopsis(self))")
    }
    let own = Set(allOptions.map(\.name))
    if let foreign = parsed.values.keys.sorted().first(where: { !own.contains($0) }) {
      throw .usage("'\(name)' of a \(subject.rawValue) has no option '--\(foreign)'\nusage: \(Usage.synopsis(self))")
    }
    if let format = parsed.text(.format(OutputFormat.allCases)), !formats.map(\.rawValue).contains(format) {
      throw .usage(
        "'--format' of '\(name)' of a \(subject.rawValue) is one of \(formats.map(\.rawValue).joined(separator: ", "))")
    }
  }
}
