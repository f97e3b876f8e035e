import Foundation

/// A process that a test starts, talks to and kills: posix_spawn, with what it prints collected while it runs.
package final class ChildProcess: @unchecked Sendable {
  package struct Failure: Error { package let reason: String }

  package let identifier: Int32
  private let input: Int32
  private let lock = NSLock()
  private let readers = DispatchGroup()
  private var outputs: [[UInt8]] = [[], []]
  private var outcome: ChildOutcome?
  private var isInputOpen = true

  /// - Parameters:
  ///   - executable: a path, or the name of an executable of this package.
  ///   - input: what it reads, followed by the end; nil leaves its standard input open for `write`.
  ///   - environment: added to this process's own.
  package init(
    _ executable: String, _ arguments: [String] = [], input text: String? = "", environment: [String: String] = [:]
  ) throws {
    guard let path = executable.contains("/") ? executable : BuiltExecutable.path(executable) else {
      throw Failure(reason: "\(executable) isn't built")
    }
    // The backtracer of a crashing child would hang the test.
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables.merge(environment) { $1 }
    let pipes = try Pipes()
    identifier = try pipes.spawn(path, arguments, variables.map { "\($0)=\($1)" })
    input = pipes.input
    collect(pipes.output, into: 0)
    collect(pipes.error, into: 1)
    if let text {
      Thread { [self] in
        write(text)
        closeInput()
      }.start()
    }
  }

  deinit {
    if outcome == nil {
      _ = Foundation.kill(identifier, SIGKILL)
      var status: Int32 = 0
      unsafe _ = waitpid(identifier, &status, 0)
    }
    closeInput()
  }

  private func collect(_ descriptor: Int32, into index: Int) {
    readers.enter()
    Thread { [weak self, readers] in
      var chunk = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = unsafe Foundation.read(descriptor, &chunk, chunk.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { break }
        guard let self else { break }
        self.lock.withLock { self.outputs[index].append(contentsOf: chunk[..<count]) }
      }
      _ = Foundation.close(descriptor)
      readers.leave()
    }.start()
  }

  /// A child that is gone makes this do nothing: SIGPIPE is ignored.
  package func write(_ text: String) {
    signal(SIGPIPE, SIG_IGN)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty && lock.withLock({ isInputOpen }) {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(input, $0.baseAddress!, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
  package func closeInput() {
    lock.withLock {
      if isInputOpen { _ = Foundation.close(input) }
      isInputOpen = false
    }
  }

  package func kill(_ signal: Int32 = SIGKILL) { if lock.withLock({ outcome == nil }) { _ = Foundation.kill(identifier, signal) } }

  /// What it printed by now.
  package var outputSoFar: String { lock.withLock { String(decoding: outputs[0], as: UTF8.self) } }
  /// The same of standard error.
  package var errorOutputSoFar: String { lock.withLock { String(decoding: outputs[1], as: UTF8.self) } }

  /// Waits until it has printed the text, or said it on standard error. - Returns: false at the timeout, or when it ended without.
  package func waitForOutput(_ text: String, onStandardError: Bool = false, timeout: Duration = .seconds(20)) -> Bool {
    func hasText() -> Bool { (onStandardError ? errorOutputSoFar : outputSoFar).contains(text) }
    let clock = ContinuousClock()
    let end = clock.now + timeout
    while clock.now < end {
      if hasText() { return true }
      if poll() != nil && readers.wait(timeout: .now() + 1) == .success { return hasText() }
      usleep(500)
    }
    return false
  }

  /// Waits for its end, and kills it at the timeout.
  @discardableResult
  package func wait(timeout: Duration = .seconds(60)) -> ChildOutcome {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    var isLate = false
    while poll() == nil {
      if clock.now >= end && !isLate {
        isLate = true
        kill()
      }
      usleep(500)
    }
    // A grandchild may hold the pipes open; what the child itself printed is there at once.
    _ = readers.wait(timeout: .now() + 2)
    return lock.withLock {
      var result = outcome!
      result.hasTimedOut = isLate
      result.standardOutput = outputs[0]
      result.standardError = outputs[1]
      return result
    }
  }

  private func poll() -> ChildOutcome? {
    lock.withLock {
      if let outcome { return outcome }
      var status: Int32 = 0
      guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
      outcome = ChildOutcome(status: status)
      return outcome
    }
  }
}
