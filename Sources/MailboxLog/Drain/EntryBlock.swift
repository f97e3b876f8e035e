#if !hasFeature(Embedded)
  import RawMemory

  /// Some entries, copied together, so that they outlive the window that they were read in and can go to another thread.
  ///
  /// One block of memory for all of them: no allocation an entry. Of one thread at a time.
  package final class EntryBlock {
    /// An entry without its bytes.
    private struct Kept {
      let id: Range<Int>
      let value: Range<Int>
      let fileOffset: UInt64
      let position: MailboxPosition
      let appendedAt: LogTimestamp
      let schemaVersion: UInt32
      let hasFields: Bool
      let openingFailure: LogError?
    }
    private var buffer: ByteBuffer
    private var usedCount = 0
    private var kept: [Kept] = []

    /// - Parameter byteCount: of ids and values before the block is full; an entry larger than this has a block of its own.
    package init(byteCount: Int) {
      buffer = ByteBuffer(count: max(1, byteCount))
    }

    package var isEmpty: Bool { kept.isEmpty }

    /// Whether another entry fits; an empty block takes an entry of any size.
    package func hasRoom(for entry: borrowing MailboxEntry) -> Bool {
      kept.isEmpty || entry.byteCount <= buffer.count - usedCount
    }

    /// Copies an entry that the block has room for.
    package func append(_ entry: borrowing MailboxEntry) {
      if entry.byteCount > buffer.count { buffer = ByteBuffer(count: entry.byteCount) }
      let id = place(entry.idRange, of: entry.buffer)
      let value = place(entry.valueRange, of: entry.buffer)
      kept.append(
        Kept(
          id: id, value: value, fileOffset: entry.fileOffset, position: entry.position, appendedAt: entry.appendedAt,
          schemaVersion: entry.schemaVersion, hasFields: entry.hasFields, openingFailure: entry.openingFailure))
    }

    /// Calls `body` with each entry, in order.
    package func forEach<E: Error>(_ body: (borrowing MailboxEntry) throws(E) -> Void) throws(E) {
      for entry in kept {
        try body(
          MailboxEntry(
            buffer: buffer, id: entry.id, value: entry.value, position: entry.position, appendedAt: entry.appendedAt,
            schemaVersion: entry.schemaVersion, hasFields: entry.hasFields, fileOffset: entry.fileOffset,
            openingFailure: entry.openingFailure))
      }
    }

    private func place(_ range: Range<Int>, of source: ByteBuffer) -> Range<Int> {
      let start = usedCount
      if !range.isEmpty { source.withSpan(range) { buffer.copy($0, at: start) } }
      usedCount += range.count
      return start..<usedCount
    }
  }
#endif
