import TestSupport

/// Runs the built `kvtool`.
enum ToolProcess {
  /// To the end. - Parameter input: may be any bytes.
  static func run(_ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws -> ChildOutcome {
    if input.isEmpty { return try ChildProcess("kvtool", arguments, environment: environment).wait() }
    let directory = TemporaryDirectory()
    directory.write(input, to: "input")
    let line = "exec \"$@\" < '\(directory.path(of: "input"))'"
    return try ChildProcess("/bin/sh", ["-c", line, "sh", try path] + arguments, environment: environment).wait()
  }
  static func run(_ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]) throws -> ChildOutcome {
    try run(arguments, input: input, environment: environment)
  }

  /// Runs a line of shell in which `$kvtool` is the tool.
  static func shell(_ line: String, environment: [String: String] = [:]) throws -> ChildOutcome {
    try ChildProcess("/bin/sh", ["-c", line], environment: environment.merging(["kvtool": try path]) { $1 }).wait()
  }

  private struct NotBuilt: Error {}
  private static var path: String {
    get throws {
      guard let path = BuiltExecutable.path("kvtool") else { throw NotBuilt() }
      return path
    }
  }
}

extension ChildOutcome {
  var lines: [Substring] { output.split(separator: "\n") }
  /// The exit code, and negative the signal.
  var code: Int32 { exitCode ?? -(signal ?? 0) }
}
