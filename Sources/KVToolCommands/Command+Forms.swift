import StorageIO

extension Command {
  /// The forms of the verb, each as a command of its own.
  var forms: [Command] {
    var first = self
    first.store = nil
    guard let store else { return [first] }
    let second = Command(
      name: name, aliases: aliases, summary: summary, operands: store.operands, options: store.options, formats: store.formats,
      keyUse: store.keyUse, writes: false, details: store.details, subject: .store, handler: store.handler)
    return [first, second]
  }

  /// The form that fits the file which the first operand names.
  ///
  /// - Throws: a usage error when the verb has none for that kind of file, or other operands or options.
  func form(for parsed: ParsedArguments, _ system: SystemCalls) throws -> Command {
    guard subject != .nothing, let path = parsed.operands.first else { return forms[0] }
    let isStore = Subject.isStore(path, system)
    let wanted: Subject = isStore ? .store : .mailbox
    guard let form = forms.first(where: { $0.subject == wanted }) else {
      if !isStore {
        // What isn't there, or is nobody's, is said first.
        let target = try Target(path, system)
        if target.isFile, (try? target.segment()) == nil { throw ToolFailure(.badData, "not a store", path: path) }
        throw ToolFailure.usage("'\(name)' is for stores, and \(printable(path)) is a mailbox")
      }
      let others = CommandTable.all.filter { $0.forms.contains { $0.subject == .store } }.map(\.name)
      throw ToolFailure.usage(
        "'\(name)' is for mailboxes, and \(printable(path)) is a store; what stores have is \(others.joined(separator: ", "))")
    }
    do {
      try form.check(parsed)
    } catch {
      // The operands may be meant for a store: what isn't there is said first.
      if !isStore, forms.contains(where: { $0.subject == .store }) { _ = try Target(path, system) }
      throw error
    }
    return form
  }
}
