#if !hasFeature(Embedded)
  import RawMemory

  extension MailboxReader {
    /// As the typed form, with closures that may throw errors of their own.
    @discardableResult
    public func forEachPending(
      limit: Int = .max, byteCountMax: Int = .max, _ body: (borrowing MailboxEntry) throws -> Void
    ) throws -> Int {
      try iterate(limit: limit, byteCountMax: byteCountMax, failure: { (error: LogError) -> any Error in error }, body)
    }
  }

  extension MailboxEntry {
    /// As the typed form, with a closure that may throw errors of its own.
    public func withPayloadSpan<R>(_ body: (Span<UInt8>) throws -> R) throws -> R {
      try buffer.withSpan(hasFields ? 0..<0 : valueRange, body)
    }

    /// As the typed form, with a closure that may throw errors of its own.
    public func forEachField(_ body: (String, LogValueType, Span<UInt8>) throws -> Void) throws {
      var failure: (any Error)?
      try forEachField { name, type, value throws(LogError) in
        if failure != nil { return }
        do { try body(name, type, value) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }
#endif
