import CForkSupport
import Foundation

/// The three pipes of a child, and the call that starts it with them.
struct Pipes {
  let input: Int32
  let output: Int32
  let error: Int32
  private let childEnds: [Int32]

  init() throws {
    var ends: [Int32] = []
    for _ in 0..<3 {
      var pair: [Int32] = [0, 0]
      guard unsafe anteroom_pipe(&pair) == 0 else { throw ChildProcess.Failure(reason: "pipe: errno \(errno)") }
      ends += pair
    }
    (input, output, error) = (ends[1], ends[2], ends[4])
    childEnds = [ends[0], ends[3], ends[5]]
  }

  /// Starts the executable, and closes the ends that are the child's.
  func spawn(_ path: String, _ arguments: [String], _ variables: [String]) throws -> pid_t {
    defer { for end in childEnds { _ = Foundation.close(end) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (index, end) in childEnds.enumerated() { unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(index)) }
    var child: pid_t = 0
    let code = unsafe withCStrings([path] + arguments) { argv in
      unsafe withCStrings(variables) { unsafe posix_spawn(&child, path, &actions, nil, argv, $0) }
    }
    guard code == 0 else { throw ChildProcess.Failure(reason: "posix_spawn \(path): errno \(code)") }
    return child
  }

  private func withCStrings<R>(_ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
  }
}
