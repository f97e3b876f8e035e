import Foundation

struct WorkerFailure: Error { let reason: String }

/// A line that is there at once: whoever started this process waits for it.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Without exit handlers: a worker's end is as sudden as a user's.
func leave(_ code: Int32) -> Never { _exit(code) }

/// Until the one who started this process closes its end, or kills it.
func waitForTheEnd() { while readLine() != nil {} }

/// Notices on another thread that the input has ended.
final class EndOfInput: @unchecked Sendable {
  private let lock = NSLock()
  private var isThere = false

  init() {
    Thread { [self] in
      waitForTheEnd()
      lock.withLock { isThere = true }
    }.start()
  }
  var hasCome: Bool { lock.withLock { isThere } }
}
