/// The texts that are made from the table of commands.
enum Usage {
  static func synopsis(_ command: Command) -> String {
    var words = ["kvtool", command.name]
    for operand in command.operands { words.append(operand.isOptional ? "[\(operand.name)]" : operand.name) }
    for option in command.options {
      let name = option.letter.map { "-\($0)" } ?? "--\(option.name)"
      let dots = option.isRepeatable ? " …" : ""
      words.append("[\(name)\(option.valueName.map { " " + $0 } ?? "")\(dots)]")
    }
    if command.formats.count > 1 { words.append("[--format \(command.formats.map(\.rawValue).joined(separator: "|"))]") }
    if command.keyUse != .never { words.append("[key options]") }
    return words.joined(separator: " ")
  }

  static func overview() -> String {
    let width = CommandTable.all.map { $0.name.count }.max() ?? 0
    var text = """
      usage: kvtool COMMAND [options]

      Works with mailboxes (a directory, or one NNNNNNNN.segment file of it), key-value logs and stores (one file each).

      commands:

      """
    for command in CommandTable.all { text += "  " + padded(command.name, width) + "  " + command.summary + "\n" }
    text += "\n`kvtool help COMMAND` says more; other topics: \(HelpTopic.all.map(\.name).joined(separator: ", ")).\n"
    return text
  }

  static func help(_ command: Command) -> String {
    let forms = command.forms
    var text = "usage: \(synopsis(forms[0]))\n"
    for form in forms.dropFirst() { text += "       \(synopsis(form))\n" }
    text += "\nTo \(command.summary).\n"
    if !command.aliases.isEmpty { text += "Also called: \(command.aliases.joined(separator: ", ")).\n" }
    text += command.writes ? "Writes.\n" : "Changes nothing.\n"
    for form in forms where !form.details.isEmpty { text += "\n" + form.details + "\n" }
    var operands: [(String, String)] = []
    for operand in forms.flatMap(\.operands) where !operands.contains(where: { $0 == (operand.name, operand.documentation) }) {
      operands.append((operand.name, operand.documentation))
    }
    let options = command.allOptions.map { option in
      let letter = option.letter.map { "-\($0), " } ?? ""
      return ("\(letter)--\(option.name)\(option.valueName.map { " " + $0 } ?? "")", option.documentation)
    }
    return text + section("operands", operands) + section("options", options)
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    if rows.isEmpty { return "" }
    let width = min(28, rows.map { $0.0.count }.max() ?? 0)
    return rows.reduce("\n\(title):\n") { text, row in
      let gap = row.0.count > width ? "\n    " + padded("", width) : "  "
      return text + "  " + padded(row.0, width) + gap + row.1 + "\n"
    }
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
