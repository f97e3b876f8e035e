internal import FoundationEssentials
internal import Glibc

/// How a child ended.
enum ProcessEnd: Equatable {
  case exited(Int32)
  case signalled(Int32)
}

/// A child process with pipes to its standard input and from its standard output; standard error is shared.
///
/// Neither pipe blocks this side. A child that is still there when its last owner goes is killed and waited for.
final class HelperProcess {
  private let processID: pid_t
  private(set) var input: Int32
  let output: Int32
  private var end: ProcessEnd?

  init(_ executable: String, _ arguments: [String]) throws(ChatError) {
    let toChild = try Self.makePipe()
    let fromChild = try Self.makePipe()
    defer {
      _ = close(toChild.read)
      _ = close(fromChild.write)
    }
    _ = fcntl(toChild.write, F_SETFL, O_NONBLOCK)
    _ = fcntl(fromChild.read, F_SETFL, O_NONBLOCK)
    (input, output) = (toChild.write, fromChild.read)
    do throws(ChatError) {
      processID = try Self.spawn(executable, arguments, input: toChild.read, output: fromChild.write)
    } catch {
      _ = close(toChild.write)
      _ = close(fromChild.read)
      throw error
    }
  }

  deinit {
    if end == nil {
      kill()
      _ = wait()
    }
    closeInput()
    _ = close(output)
  }

  /// Both ends are close-on-exec: a sibling that inherited one would keep the other side from seeing the end.
  private static func makePipe() throws(ChatError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    if unsafe pipe(&ends) != 0 { throw .system(call: "pipe", errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], input: Int32, output: Int32
  ) throws(ChatError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)

    // An ignored signal would stay ignored in the child.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var argumentPointers = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    var environmentPointers = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      unsafe (argumentPointers + environmentPointers).forEach { unsafe free($0) }
    }
    var processID: pid_t = 0
    let result = unsafe posix_spawn(
      &processID, executable, &actions, &attributes, &argumentPointers, &environmentPointers)
    if result != 0 { throw .system(call: "posix_spawn \(executable)", errno: result) }
    return processID
  }

  /// Writes what fits the pipe. - Returns: bytes taken; nil when the child doesn't read any more.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard input >= 0 else { return nil }
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Reads what is there. - Returns: bytes read, 0 at the end; nil when there is nothing now.
  func read(into block: inout [UInt8]) -> Int? {
    let count = unsafe Glibc.read(output, &block, block.count)
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? nil : 0
  }

  func closeInput() {
    if input >= 0 { _ = close(input) }
    input = -1
  }

  func kill() {
    if end == nil { _ = Glibc.kill(processID, SIGKILL) }
  }

  /// Waits for the end; call it once the output has ended, or after `kill`.
  func wait() -> ProcessEnd {
    if let end { return end }
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let result: ProcessEnd = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    end = result
    return result
  }
}
