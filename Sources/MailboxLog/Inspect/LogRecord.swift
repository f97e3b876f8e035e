#if !hasFeature(Embedded)
  import RawMemory

  /// A record of a key-value log as it stands in the file, dead or alive. Borrowed by the closure that receives it.
  package struct LogRecord: ~Copyable {
    package enum Kind: Sendable { case set, remove, removeAll, index }

    package let kind: Kind
    package let range: Range<UInt64>
    package let sequence: UInt64
    /// Microseconds since 1970.
    package let appendedAt: Int64
    /// Microseconds since 1970; 0, never.
    package let expiresAt: Int64
    /// nil for a type that this build doesn't know.
    package let type: LogValueType?
    private let entry: MailboxEntry

    fileprivate init(_ kind: Kind, _ range: Range<UInt64>, _ frame: RecordFrame, _ entry: consuming MailboxEntry) {
      self.kind = kind
      self.range = range
      sequence = frame.sequence
      appendedAt = frame.appendedAt
      expiresAt = frame.expiresAt
      type = LogValueType(rawValue: frame.valueType)
      self.entry = entry
    }

    /// Why key and value are empty: no key was given, or the record was altered. An index keeps its own seals and is never opened.
    package var openingFailure: LogError? { kind == .index ? nil : entry.openingFailure }
    /// Bytes of the value.
    package var byteCount: Int { entry.valueRange.count }

    package func withKey<R>(_ body: (Span<UInt8>) throws -> R) throws -> R { try entry.buffer.withSpan(entry.idRange, body) }
    package func withValue<R>(_ body: (Span<UInt8>) throws -> R) throws -> R { try entry.buffer.withSpan(entry.valueRange, body) }
    package var keyBytes: [UInt8] { entry.idBytes }
  }

  extension SegmentItem {
    /// Lends the record of a log; once, for an item that is a record.
    package func withRecord<R>(_ body: (borrowing LogRecord) throws -> R) throws -> R {
      guard let frame = cursor.frame, let kind = LogRecord.Kind(frame.kind) else {
        throw LogError.corrupted(offset: range.lowerBound, reason: "not a record of a log")
      }
      let position = MailboxPosition(segment: cursor.segment.identifier, sequence: frame.sequence)
      if kind == .index { return try body(LogRecord(kind, range, frame, MailboxEntry(unreadable: frame, position, .keyRequired))) }
      return try body(LogRecord(kind, range, frame, try MailboxEntry.opening(frame, cursor, keys)))
    }
  }

  extension LogRecord.Kind {
    fileprivate init?(_ kind: RecordKind) {
      switch kind {
      case .set: self = .set
      case .remove: self = .remove
      case .removeAll: self = .removeAll
      case .index: self = .index
      case .entry: return nil
      }
    }
  }
#endif
