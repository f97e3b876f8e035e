#if canImport(Darwin)
  import Dispatch
  import StorageIO

  /// Sources of the kernel's events about a directory and each of its files: that of the directory tells of names alone.
  final class ArrivalWatch: @unchecked Sendable {
    private let directory: String
    private let system: SystemCalls
    private let wake: @Sendable () -> Void
    private let queue = DispatchQueue(label: "anteroom.arrivals")
    // Used on `queue` only.
    private var files: [String: any DispatchSourceFileSystemObject] = [:]
    private var names: (any DispatchSourceFileSystemObject)?

    /// Calls `wake` after each change, until it is cancelled. - Returns: nil when the directory can't be watched.
    static func start(_ directory: String, _ system: SystemCalls, _ wake: @escaping @Sendable () -> Void) -> Cancellation? {
      let descriptor = system.watchDirectory(directory)
      guard descriptor >= 0 else { return nil }
      let watch = ArrivalWatch(directory, system, wake)
      watch.queue.sync { watch.watchNames(Int32(descriptor)) }
      return Cancellation { watch.queue.async { watch.end() } }
    }

    private init(_ directory: String, _ system: SystemCalls, _ wake: @escaping @Sendable () -> Void) {
      self.directory = directory
      self.system = system
      self.wake = wake
    }

    private func watchNames(_ descriptor: Int32) {
      names = source(descriptor, [.write, .rename, .delete]) { [self] in
        watchFiles()
        wake()
      }
      watchFiles()
    }

    /// Each costs a descriptor, of which an app has few.
    private static let fileCountMax = 64

    /// Files that came since, those first whose names are a mailbox's or a log's; those that went end their own source.
    private func watchFiles() {
      guard names != nil else { return }
      var ours: [String] = []
      var others: [String] = []
      _ = system.list(directory) { bytes in
        let name = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        // A temporary file gets another name, which is an event of the directory.
        if name.hasPrefix(".") || files[name] != nil { return }
        if name.hasSuffix(".segment") || name.hasSuffix(".kvlog") { ours.append(name) } else { others.append(name) }
      }
      for name in (ours + others).prefix(max(0, Self.fileCountMax - files.count)) { watchFile(name) }
    }

    private func watchFile(_ name: String) {
      let descriptor = system.watchFile(directory + "/" + name)
      guard descriptor >= 0 else { return }
      files[name] = source(Int32(descriptor), [.write, .extend, .delete, .rename]) { [self] in
        // Another file may have the name by now.
        let event: DispatchSource.FileSystemEvent = files[name]?.data ?? []
        if !event.isDisjoint(with: [.delete, .rename]) {
          files.removeValue(forKey: name)?.cancel()
          watchFiles()
        }
        wake()
      }
    }

    private func source(
      _ descriptor: Int32, _ events: DispatchSource.FileSystemEvent, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceFileSystemObject {
      let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: events, queue: queue)
      let system = system
      source.setEventHandler(handler: handler)
      source.setCancelHandler { _ = system.close(descriptor) }
      source.resume()
      return source
    }

    /// The handlers keep this object alive until here.
    private func end() {
      names?.cancel()
      names = nil
      for file in files.values { file.cancel() }
      files = [:]
    }
  }
#endif
