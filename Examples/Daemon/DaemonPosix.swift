import Dispatch
import Glibc

/// Standard output, written whole.
enum StandardOutput {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "standard output can't be written (errno \(code)); nothing of the batch was acknowledged" }
  }

  static func write(_ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw Failure(code: errno) }
      done += count
    }
    // A file is to have it before it is acknowledged; a pipe or a socket can't say when its reader has it.
    if fdatasync(1) != 0, errno != EINVAL, errno != EROFS { throw Failure(code: errno) }
  }
}

/// SIGTERM and SIGINT, as a call on a queue in place of a handler.
final class StopSignals {
  private let sources: [any DispatchSourceSignal]
  private static let queue = DispatchQueue(label: "stop")

  /// From here on neither ends the process; `body` hears of each.
  init(_ body: @escaping @Sendable () -> Void) {
    // A reader of the lines that is gone is an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
    sources = [SIGTERM, SIGINT].map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
      source.setEventHandler(handler: body)
      source.activate()
      return source
    }
  }

  /// Ends the process after so many seconds, wherever it is then: what isn't committed isn't there, and comes again.
  static func exit(_ code: Int32, after seconds: Int) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds)) { Glibc.exit(code) }
  }
}
