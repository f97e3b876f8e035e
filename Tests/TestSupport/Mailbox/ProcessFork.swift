import CForkSupport
import Foundation

/// A child made by fork, in which only the thread that called goes on.
package struct ForkedChild {
  package let identifier: Int32

  /// - Parameter body: what the child does; it leaves with the result, without exit handlers.
  package init(_ body: () -> Int32) {
    identifier = withoutActuallyEscaping(body) { body in
      var box = ForkedBody(run: body)
      return unsafe withUnsafeMutablePointer(to: &box) { address in
        unsafe anteroom_fork_and({ raw in unsafe raw!.assumingMemoryBound(to: ForkedBody.self).pointee.run() }, address)
      }
    }
  }

  /// Its exit code, or 128 and the signal that ended it; -1 and a kill when it takes longer.
  package func wait(seconds: Double = 10) -> Int32 {
    let end = Date(timeIntervalSinceNow: seconds)
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, WNOHANG) == 0 {
      if Date() > end {
        kill(identifier, SIGKILL)
        _ = anteroom_wait(identifier)
        return -1
      }
      usleep(500)
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}

private struct ForkedBody {
  let run: () -> Int32
}

/// Writes a line at once, without a buffer, in one call.
package func emit(_ line: String, to descriptor: Int32 = 1) {
  let bytes = Array((line + "\n").utf8)
  var done = 0
  while done < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress! + done, bytes.count - done) }
    if count < 0 && errno == EINTR { continue }
    if count <= 0 { return }
    done += count
  }
}
