/// `stat`: where the bytes are.
enum Stat {
  static let command = Command(
    name: "stat", summary: "print sizes and counts; of a store, its pages by kind and tree", operands: [.mailbox],
    formats: [.text, .json, .prometheus], keyUse: .optional,
    details: """
      Of a mailbox the same as `info`. With --format prometheus, figures for monitoring, which `help metrics` explains: one sample a line, in
      the text format of Prometheus.
      """,
    handler: run,
    store: FileForm(
      operands: [.store], formats: [.text, .json, .prometheus],
      details: """
        Of a store, pages and bytes by kind, then for each tree its entries, levels, pages and long values. `fill` says how much of the
        pages of keys is in use.
        """,
      handler: { try $0.format == .prometheus ? Metrics($0).addStore() : StoreStat.run($0) }),
    log: LogStat.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    try invocation.format == .prometheus ? Metrics(invocation).addMailbox() : Info.run(invocation)
  }
}
