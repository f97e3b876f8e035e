import Dispatch
import MailboxLog
import StorageIO

/// What can be listened to: files in a directory, of one handle.
protocol Listened: Sendable {
  var directory: String { get }
  var system: SystemCalls { get }
  var isReadOnly: Bool { get }
  var isClosed: Bool { get }
  func addWaker(_ wake: @escaping @Sendable () -> Void) -> Int
  func removeWaker(_ number: Int)
}
extension MailboxReader: Listened {}
extension KeyValueLog: Listened {}

/// Wakes an iteration over arrivals or changes: by events of the directory, or every half second where those aren't to be had.
final class ArrivalSignal: Sendable {
  /// Yields after something may have changed; ends with the signal.
  let changes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let reader: any Listened
  private let waker: Int

  init(watching reader: any Listened) {
    // One pending wake-up stands for any number.
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    self.continuation = continuation
    self.reader = reader
    waker = reader.addWaker { continuation.yield() }
    let system = reader.system
    let watch = reader.isReadOnly ? nil : ArrivalWatch.start(reader.directory, system) { continuation.yield() }
    if let watch {
      continuation.onTermination = { _ in watch.cancel() }
    } else {
      // No watch to be had, or nothing may be written to ask for a ring.
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { continuation.yield() }
      timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
      let cancellation = Cancellation { timer.cancel() }
      continuation.onTermination = { _ in cancellation.cancel() }
      timer.resume()
    }
  }

  deinit {
    reader.removeWaker(waker)
    continuation.finish()
  }
}

/// Cancelling a dispatch source is safe from any thread; its type doesn't say so.
struct Cancellation: @unchecked Sendable {
  let cancel: () -> Void
}
