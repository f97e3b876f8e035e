import CForkSupport
import CSystem
import Foundation
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// Real processes, made by fork and by spawn, and real locks.
@Suite(.serialized) struct ForkTests {
  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "f") }

  init() { place.write([UInt8](repeating: 0, count: 100), to: "f") }

  private func open() throws -> StorageFile { try StorageFile(.live, path: path, flags: O_RDWR, isLockable: true) }

  /// Runs the body in a forked child. - Returns: the child's exit code.
  private func inChild(_ words: [Int64], _ body: @convention(c) (UnsafeMutableRawPointer?) -> Int32) -> Int32 {
    var words = words
    let child = unsafe words.withUnsafeMutableBytes { unsafe anteroom_fork_and(body, $0.baseAddress) }
    return anteroom_wait(child)
  }

  @Test func twoOpenFilesOfOneProcessExcludeEachOther() throws {
    let (first, second) = (try open(), try open())
    #expect(try first.tryLock())
    #expect(try !second.tryLock())
    first.unlock()
    #expect(try second.tryLock())
  }

  @Test func aLockExcludesAnotherProgram() throws {
    let file = try open()
    #expect(try file.tryLock())
    let command = ["-n", "-E", "7", path, "true"]
    #expect(try ChildProcess("/usr/bin/flock", command).wait().exitCode == 7)
    file.unlock()
    #expect(try ChildProcess("/usr/bin/flock", command).wait().exitCode == 0)
    let holder = try ChildProcess("/usr/bin/flock", [path, "sh", "-c", "echo held; exec sleep 30"])
    #expect(holder.waitForOutput("held"))
    #expect(try !file.lock(until: Deadline(after: .milliseconds(20), .live)))
  }

  @Test func aForkedChildHasNoCopyOfTheLock() throws {
    let file = try open()
    #expect(try file.tryLock())
    // Neither the lock descriptor is there, nor does the child's end let go of the lock.
    let code = unsafe inChild([Int64(file.descriptor)]) { unsafe closed($0) }
    #expect(code == 41)
    let other = try open()
    #expect(try !other.tryLock())
    file.unlock()
    #expect(try other.tryLock())
  }

  @Test func otherDescriptorsStayWithTheChild() throws {
    let file = try StorageFile(.live, path: path, flags: O_RDONLY)
    #expect(unsafe inChild([Int64(file.descriptor)]) { unsafe closed($0) } == 42)
    withExtendedLifetime(file) {}
  }

  /// The lock of a killed process is free although its own child lives on.
  @Test func theChildOfAKilledHolderHoldsNothing() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe anteroom_pipe(&ends) == 0)
    var context = unsafe HolderContext(pipe: ends[1], path: unsafe strdup(path))
    defer { unsafe free(context.path) }
    let parent = unsafe withUnsafeMutablePointer(to: &context) { unsafe anteroom_fork_and(holdAndFork, $0) }
    close(ends[1])
    var grandchild: Int32 = 0
    #expect(unsafe Foundation.read(ends[0], &grandchild, 4) == 4)
    defer { Foundation.kill(grandchild, SIGKILL) }
    let file = try open()
    #expect(try !file.tryLock())
    Foundation.kill(parent, SIGKILL)
    #expect(anteroom_wait(parent) == 128 + SIGKILL)
    #expect(Foundation.kill(grandchild, 0) == 0)
    // The grandchild may not have run yet at all, and closes its copies before anything else.
    #expect(try file.lock(until: Deadline(after: .seconds(10), .live)))
    close(ends[0])
  }

  @Test func aForkIsNoticed() {
    let mark = ForkMark.current
    #expect(ForkMark.isCurrent(mark))
    let code = unsafe inChild([Int64(bitPattern: mark)]) { context in
      let mark = unsafe UInt64(bitPattern: context!.load(as: Int64.self))
      if ForkMark.isCurrent(mark) { return 1 }
      // A child that opens handles of its own is somebody else, and its parent's stay foreign.
      let own = ForkMark.current
      return own != mark && ForkMark.isCurrent(own) && !ForkMark.isCurrent(mark) ? 0 : 2
    }
    #expect(code == 0)
    #expect(ForkMark.isCurrent(mark) && ForkMark.current == mark)
    let kept = ForkMark.Kept()
    #expect(kept.isCurrent)
    #expect(ForkedChild { kept.isCurrent || !ForkMark.Kept().isCurrent ? 1 : 0 }.wait() == 0)
  }

  @Test func closingFreesTheSlotInTheTable() throws {
    // More than the table has slots.
    for _ in 0..<5000 { _ = try open() }
    let file = try open()
    #expect(unsafe inChild([Int64(file.descriptor)]) { unsafe closed($0) } == 41)
    withExtendedLifetime(file) {}
  }
}

/// 41 when the descriptor isn't there, 42 when it is.
private func closed(_ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe fcntl(Int32(context!.load(as: Int64.self)), F_GETFD) == -1 ? 41 : 42
}

@unsafe private struct HolderContext {
  let pipe: Int32
  let path: UnsafeMutablePointer<CChar>
}

/// Locks the file, forks a child that waits, and reports its id.
private func holdAndFork(_ raw: UnsafeMutableRawPointer?) -> Int32 {
  let context = unsafe raw!.load(as: HolderContext.self)
  guard let file = try? StorageFile(.live, path: unsafe String(cString: context.path), flags: O_RDWR, isLockable: true),
    (try? file.tryLock()) == true
  else { return 1 }
  let body: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { _ in
    sleep(60)
    return 0
  }
  var child = unsafe anteroom_fork_and(body, nil)
  unsafe _ = Foundation.write(context.pipe, &child, 4)
  sleep(60)
  withExtendedLifetime(file) {}
  return 0
}
