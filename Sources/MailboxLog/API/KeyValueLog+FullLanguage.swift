#if !hasFeature(Embedded)
  import RawMemory

  // Closures with plain `throws`: no annotation at the call, and errors of the caller's own pass through.
  extension KeyValueLog {
    /// As the typed form, with a closure that may throw errors of its own.
    public func forEach(_ body: (borrowing LogEntry) throws -> Void) throws {
      var failure: (any Error)?
      do {
        try handle.forEachLive { record throws(LogError) in
          do { try body(LogEntry(record)) } catch {
            failure = error
            // Ends the walk; the caller's own error is what is thrown.
            throw .closed
          }
        }
      } catch {
        throw failure ?? error
      }
    }

    /// As the typed form, with a closure that may throw errors of its own.
    public func update(_ body: (inout LogBatch) throws -> Void) throws {
      var batch = LogBatch()
      try body(&batch)
      try handle.write(batch)
    }

    /// As the typed form, with a closure that may throw errors of its own.
    public func withBytes<R>(forKey key: String, _ body: (Span<UInt8>) throws -> R) throws -> R? {
      var result: Result<R, any Error>?
      try lendBytes(forKey: key) { bytes throws(LogError) in result = Result { try body(bytes) } }
      return try result?.get()
    }
  }
#endif
