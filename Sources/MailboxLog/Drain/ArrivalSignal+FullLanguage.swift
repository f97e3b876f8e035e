#if !hasFeature(Embedded)
  import Dispatch
  import StorageIO

  /// Wakes an iteration over arrivals: by events of the directory, or every half second where those aren't to be had.
  final class ArrivalSignal: Sendable {
    /// Yields after something may have changed; ends with `finish`.
    let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    private init() {
      // One pending wake-up stands for any number.
      (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// nil when the kernel has no watch to give, or the directory is only read: then it is looked at twice a second.
    static func watching(_ context: LogContext) -> ArrivalSignal {
      let signal = ArrivalSignal()
      let system = context.system
      let descriptor = context.options.access == .readOnly ? -1 : system.watchDirectory(context.directory.path)
      let continuation = signal.continuation
      if descriptor >= 0 {
        let source = DispatchSource.makeReadSource(fileDescriptor: Int32(descriptor))
        source.setEventHandler {
          system.clearWatch(Int32(descriptor))
          continuation.yield()
        }
        source.setCancelHandler { _ = system.close(Int32(descriptor)) }
        let cancellation = Cancellation(source: source)
        continuation.onTermination = { _ in cancellation.source.cancel() }
        source.resume()
      } else {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { continuation.yield() }
        let cancellation = Cancellation(source: timer)
        continuation.onTermination = { _ in cancellation.source.cancel() }
        timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        timer.resume()
      }
      return signal
    }

    /// Looks again, or finds out that the reader was closed.
    func wake() { continuation.yield() }
    func finish() { continuation.finish() }
    deinit { continuation.finish() }
  }

  /// Cancelling a dispatch source is safe from any thread; its type doesn't say so.
  private struct Cancellation: @unchecked Sendable {
    let source: any DispatchSourceProtocol
  }

  extension MailboxDrain {
    /// Asks the next append of each segment to ring, and returns where each ends. What is appended after that rings.
    func listen() throws(LogError) -> [(segment: MailboxSegmentID, committedEnd: UInt64, isPending: Bool)] {
      var ends: [(segment: MailboxSegmentID, committedEnd: UInt64, isPending: Bool)] = []
      for segment in try segments() {
        let end = try at(segment.file.path) { () throws(SystemError) in
          // Registered first, looked at afterwards: an append in between is seen, one after it rings.
          if context.options.access == .readWrite { try segment.words.awaitRing() }
          let bounds = try segment.bounds()
          return (segment.identifier, bounds.committedEnd, bounds.committedEnd > bounds.consumedEnd)
        }
        ends.append(end)
      }
      return ends
    }
  }
#endif
