#if os(Linux)
  import Dispatch
  import StorageIO

  /// A source of the kernel's events about the files of a directory.
  enum ArrivalWatch {
    /// Calls `wake` after each change, until the source is cancelled. - Returns: nil when the kernel has no watch to give.
    static func start(_ directory: String, _ system: SystemCalls, _ wake: @escaping @Sendable () -> Void) -> Cancellation? {
      let descriptor = system.watchDirectory(directory)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: Int32(descriptor))
      source.setEventHandler {
        system.clearWatch(Int32(descriptor))
        wake()
      }
      source.setCancelHandler { _ = system.close(Int32(descriptor)) }
      source.resume()
      return Cancellation { source.cancel() }
    }
  }
#endif
