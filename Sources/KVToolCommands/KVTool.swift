import StorageIO

/// The command-line tool: everything but its `main`.
public enum KVTool {
  /// What `--version` prints.
  public static let version = "0.1.0"

  /// Runs one command on the standard streams, and ends the process with its exit code.
  ///
  /// Guarantee: what was printed has arrived before the process ends, or the exit code says that it has not.
  /// - Parameter arguments: as the process got them, its own name first.
  public static func main(_ arguments: [String]) -> Never {
    Interruption.install()
    let system = SystemCalls.live
    system.terminate(run(arguments.dropFirst(), system).rawValue)
  }

  static func run(_ arguments: ArraySlice<String>, _ system: SystemCalls) -> ExitCode {
    let output = Output(system)
    var path: String?
    do {
      let code = try run(arguments, output, system, &path)
      try output.close()
      return code
    } catch {
      let failure = ToolFailure(error)
      // What was printed before the failure is as good as ever.
      try? output.flush()
      if let message = failure.message { Diagnostics.report(message, path: failure.path ?? path) }
      return failure.code
    }
  }

  private static func run(_ arguments: ArraySlice<String>, _ output: Output, _ system: SystemCalls, _ path: inout String?) throws
    -> ExitCode
  {
    guard let name = arguments.first else {
      Diagnostics.write(Usage.overview())
      return .usage
    }
    switch name {
    case "--version":
      try output.line("kvtool \(version)")
      return .success
    case "--help", "-h":
      try output.write(Usage.overview())
      return .success
    default: break
    }
    guard let command = CommandTable.command(name) else {
      if name == "--key" || name.hasPrefix("--key=") { throw ToolFailure.usage(CommandOption.keyRefusal) }
      let clause = Suggestion.clause(for: name, among: CommandTable.names)
      throw ToolFailure.usage("no command '\(printable(name))'\(clause.isEmpty ? "; `kvtool help` lists them" : clause)")
    }
    var parser = ArgumentParser(command, arguments.dropFirst())
    let parsed = try parser.parse()
    if parsed.has(.help) {
      try output.write(Usage.help(command))
      return .success
    }
    path = parsed.operands.first
    let form = try command.form(for: parsed, system)
    return try form.handler(Invocation(command: form, arguments: parsed, output: output, system: system))
  }
}
