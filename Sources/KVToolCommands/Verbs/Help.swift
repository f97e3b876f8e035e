/// `help` and `version`.
enum Help {
  static let command = Command(
    name: "help", summary: "explain a command or a topic",
    operands: [Operand(name: "TOPIC", documentation: "a command, or one of the topics that `help` lists", isOptional: true)],
    subject: .nothing, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    try invocation.output.write(try text(invocation.arguments.operands.first))
    return .success
  }

  static func text(_ topic: String?) throws -> String {
    guard let topic else { return Usage.overview() }
    if let command = CommandTable.command(topic) { return Usage.help(command) }
    if let page = HelpTopic.all.first(where: { $0.name == topic }) { return page.text }
    let clause = Suggestion.clause(for: topic, among: CommandTable.names + HelpTopic.all.map(\.name))
    throw ToolFailure.usage("no help on '\(printable(topic))'\(clause)")
  }
}
