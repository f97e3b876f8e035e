import CSystem
import StorageIO

extension Command {
  /// The forms of the verb, each as a command of its own.
  var forms: [Command] {
    var first = self
    (first.store, first.log) = (nil, nil)
    return [first] + [(Subject.store, store), (.log, log)].compactMap { subject, form in form.map { command($0, subject) } }
  }

  private func command(_ form: FileForm, _ subject: Subject) -> Command {
    Command(
      name: name, aliases: aliases, summary: summary, operands: form.operands, options: form.options, formats: form.formats,
      keyUse: form.keyUse, writes: form.writes, details: form.details, subject: subject, handler: form.handler)
  }

  /// The form that fits the file which the first operand names.
  ///
  /// - Throws: a usage error when the verb has none for that kind of file, or other operands or options.
  func form(for parsed: ParsedArguments, _ system: SystemCalls) throws -> Command {
    guard subject != .nothing, let path = parsed.operands.first else { return forms[0] }
    let kind = Subject(of: path, system)
    guard let form = forms.first(where: { $0.subject == kind ?? .mailbox }) ?? formThatMakes(path, system) else {
      throw try refusal(path, kind, system)
    }
    do {
      try form.check(parsed)
    } catch {
      // The operands may be meant for another kind of file: what isn't there is said first.
      if kind == nil, forms.count > 1 { _ = try Target(path, system) }
      throw error
    }
    return form
  }

  /// A verb of one kind of file makes that kind where nothing is yet.
  private func formThatMakes(_ path: String, _ system: SystemCalls) -> Command? {
    var status: FileStatus?
    return forms[0].writes && system.status(path: path, &status) == -Int(ENOENT) ? forms[0] : nil
  }

  /// Why the verb has nothing to do with the file.
  private func refusal(_ path: String, _ kind: Subject?, _ system: SystemCalls) throws -> ToolFailure {
    let wanted = forms.map(\.subject.plural).joined(separator: " and ")
    if kind == nil {
      // What isn't there, or is nobody's, is said first.
      let target = try Target(path, system)
      if target.isFile, (try? target.segment()) == nil {
        return ToolFailure(.badData, "not a \(forms.map(\.subject.rawValue).joined(separator: " or "))", path: path)
      }
    }
    let actual = kind ?? .mailbox
    let others = CommandTable.all.filter { $0.forms.contains { $0.subject == actual } }.map(\.name)
    return ToolFailure.usage(
      "'\(name)' is for \(wanted), and \(printable(path)) is a \(actual.rawValue); what \(actual.plural) have is \(others.joined(separator: ", "))"
    )
  }
}
