import StorageIO

/// Why a command ends before its end: the exit code, and the sentence for standard error.
struct ToolFailure: Error {
  let code: ExitCode
  /// What the sentence is about; nil for the path that the command was given.
  var path: String?
  /// nil for an end without words, as when nobody reads the output any more.
  let message: String?

  init(_ code: ExitCode, _ message: String, path: String? = nil) {
    self.code = code
    self.path = path
    self.message = message
  }

  private init(silent code: ExitCode) {
    self.code = code
    path = nil
    message = nil
  }

  /// The reader of the output has gone, as `head` does. Nothing is wrong.
  static let closedPipe = ToolFailure(silent: .success)
  static let interrupted = ToolFailure(silent: .interrupted)

  static func usage(_ message: String) -> ToolFailure { ToolFailure(.usage, message, path: "") }

  /// To be called once a record: ends the command after Ctrl-C.
  static func checkInterruption() throws { if Interruption.isRequested { throw ToolFailure.interrupted } }
}

/// Ends a walk over records early, from inside its closure.
struct EndOfWalk: Error {}

/// Runs a walk that may end with `EndOfWalk`.
func untilEndOfWalk(_ walk: () throws -> Void) throws {
  do { try walk() } catch is EndOfWalk {}
}
