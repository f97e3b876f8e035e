#if !hasFeature(Embedded)
  import RawMemory
  import StorageIO

  /// A stretch of a segment: a record, or bytes that are none.
  package struct SegmentItem: ~Copyable {
    package let range: Range<UInt64>
    /// Set when this range isn't a good record: a range that can't be read, or a record whose body is damaged.
    package let badReason: String?
    package let isAcknowledged: Bool
    /// Written and not published: no append of it has returned.
    package let isBeyondCommittedEnd: Bool
    package let batchPosition: UInt32
    package let batchCount: UInt32
    package let writerID: [UInt8]
    let cursor: RecordCursor
    let keys: SegmentKeys?

    fileprivate init(
      _ range: Range<UInt64>, badReason: String?, isAcknowledged: Bool, isBeyondCommittedEnd: Bool, cursor: RecordCursor,
      keys: SegmentKeys?
    ) {
      self.range = range
      self.badReason = badReason
      self.isAcknowledged = isAcknowledged
      self.isBeyondCommittedEnd = isBeyondCommittedEnd
      self.cursor = cursor
      self.keys = keys
      batchPosition = cursor.frame?.batchPosition ?? 0
      batchCount = cursor.frame?.batchCount ?? 0
      var writer: [UInt8] = []
      cursor.frame?.writer.append(to: &writer)
      writerID = writer
    }

    /// Lends the record as an entry; once, for an item that is a record. Its `openingFailure` is set when the key is missing, or
    /// the record was damaged or altered.
    package func withEntry<R>(_ body: (borrowing MailboxEntry) throws -> R) throws -> R {
      guard let frame = cursor.frame else { throw LogError.corrupted(offset: range.lowerBound, reason: "not a record") }
      let entry = try MailboxEntry.opening(frame, cursor, keys)
      return try body(entry)
    }
  }

  extension SegmentInspection {
    /// Walks everything from the first record on: good records, acknowledged ones too, and bad ranges, in the order of the file.
    ///
    /// The free space behind the committed end is passed over unless there is a record in it.
    package func forEachItem(_ body: (borrowing SegmentItem) throws -> Void) throws {
      guard let segment else {
        throw LogError.corrupted(offset: 0, reason: headerFault ?? "the header can't be read")
      }
      let fileEnd = fileByteCount & ~UInt64(SegmentLayout.alignment - 1)
      let committed = try at(path) { () throws(SystemError) in try segment.words.load(.committedEnd) }
      let consumed = try at(path) { () throws(SystemError) in try segment.words.load(.consumedEnd) }
      let committedEnd = max(min(committed ?? fileEnd, fileEnd), SegmentLayout.dataStart)
      let cursor = RecordCursor(segment, from: SegmentLayout.dataStart, to: committedEnd)
      try walk(cursor, consumedEnd: consumed ?? 0, isBeyond: false, skipsDamage: committed == nil, body)
      guard committed != nil, committedEnd < fileEnd else { return }
      let free = RecordCursor(segment, from: committedEnd, to: fileEnd)
      try walk(free, consumedEnd: 0, isBeyond: true, skipsDamage: true, body)
    }

    private func walk(
      _ cursor: RecordCursor, consumedEnd: UInt64, isBeyond: Bool, skipsDamage: Bool, _ body: (borrowing SegmentItem) throws -> Void
    ) throws {
      let keys = cursor.segment.keys?.forAnotherUse()
      while true {
        let step = try at(path) { () throws(SystemError) in try cursor.next() }
        switch step {
        case .end: return
        case .damage(let range, let reason):
          if skipsDamage, range.upperBound == cursor.end { return }
          try body(
            SegmentItem(
              range, badReason: reason, isAcknowledged: false, isBeyondCommittedEnd: isBeyond, cursor: cursor, keys: keys))
        case .record:
          guard let frame = cursor.frame else { continue }
          try body(
            SegmentItem(
              cursor.frameOffset..<cursor.nextOffset,
              badReason: cursor.isBodyGood ? nil : "the record's checksum doesn't match",
              isAcknowledged: cursor.frameOffset < consumedEnd || cursor.segment.isAcknowledged(frame),
              isBeyondCommittedEnd: isBeyond, cursor: cursor, keys: keys))
        }
      }
    }
  }
#endif
