import Foundation

/// A thread that is held in the middle of a write, with the file's lock.
package final class HeldCall: @unchecked Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let mayGo = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - at: has an action run when a point is reached, and says whether there is such a point.
  ///   - write: what the thread does. On return it is in the middle of that.
  package init(at: (String, @escaping @Sendable () -> Void) -> Bool, _ write: @escaping @Sendable () throws -> Void) {
    let isKnown = at("recordWritten") { [self] in
      isThere.signal()
      mayGo.wait()
    }
    require(isKnown, "no such point")
    Thread { [self] in
      do { try write() } catch { stop("held: \(error)") }
      isDone.signal()
    }.start()
    isThere.wait()
  }

  package func finish() {
    mayGo.signal()
    isDone.wait()
  }

  /// Makes a child, by `fork` or by `spawn`, prints its id, and dies while the child lives.
  package func dieWithChild(_ kind: String) throws {
    if kind == "fork" {
      let child = ForkedChild {
        sleep(30)
        return 0
      }
      emit("child \(child.identifier)")
    } else {
      let child = try ChildProcess("/bin/sleep", ["30"])
      emit("child \(child.identifier)")
      kill(getpid(), SIGKILL)
    }
    kill(getpid(), SIGKILL)
    finish()
  }
}

/// Whether a third process finds a file locked.
package func isLocked(_ path: String) throws -> Bool {
  let code = try ChildProcess("/usr/bin/flock", ["-n", "-E", "7", path, "true"]).wait().exitCode
  require(code == 0 || code == 7, "flock: \(code ?? -1)")
  return code == 7
}
