/// How a child process ended, and what it printed.
package struct ChildOutcome: Sendable {
  /// nil when a signal ended it.
  package let exitCode: Int32?
  package let signal: Int32?
  package internal(set) var hasTimedOut = false
  package internal(set) var standardOutput: [UInt8] = []
  package internal(set) var standardError: [UInt8] = []

  init(status: Int32) {
    // As WIFEXITED and WTERMSIG, which Swift doesn't import.
    let ended = status & 0x7F
    exitCode = ended == 0 ? status >> 8 & 0xFF : nil
    signal = ended == 0 ? nil : ended
  }

  package var output: String { String(decoding: standardOutput, as: UTF8.self) }
  package var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
  package var isSuccess: Bool { exitCode == 0 }
}
