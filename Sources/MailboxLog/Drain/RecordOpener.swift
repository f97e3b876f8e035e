import RawMemory
import Sealing
import StorageIO

/// From a record in a window to an entry: checked, and opened in place where it is sealed.
extension PendingEntries.Source {
  /// The current record as an entry, valid until the window moves. One that can't be opened says why.
  ///
  /// Once a record: it is opened in place, and the window then holds its plaintext.
  func entry() throws(LogError) -> MailboxEntry {
    guard let frame else { throw .closed }
    return try MailboxEntry.opening(frame, cursor, keys)
  }
}

extension MailboxEntry {
  static func opening(_ frame: RecordFrame, _ cursor: RecordCursor, _ keys: SegmentKeys?) throws(LogError) -> MailboxEntry {
    let segment = cursor.segment
    let offset = cursor.frameOffset
    let loaded = try at(segment.file.path) { () throws(SystemError) in
      try cursor.window.load(offset, byteCount: frame.totalByteCount)
    }
    let position = MailboxPosition(segment: segment.identifier, sequence: frame.sequence)
    guard let start = loaded, cursor.isBodyGood else {
      return MailboxEntry(unreadable: frame, position, .corrupted(offset: offset, reason: "the record's checksum doesn't match"))
    }
    let buffer = cursor.window.buffer
    let body = start + SegmentLayout.Frame.body
    let valueStart = body + frame.idByteCount
    if segment.isSealedFile {
      guard let keys else { return MailboxEntry(unreadable: frame, position, .keyRequired) }
      let associatedData = cursor.associatedData
      FrameAssociatedData.fill(associatedData, from: buffer, at: start, fileOffset: offset)
      let sealedEnd = valueStart + frame.valueByteCount
      let isOpen = keys.cipher(ofReader: frame.writer)?.open(
        buffer, body..<sealedEnd, tagAt: sealedEnd, associatedData: associatedData, 0..<associatedData.count,
        counter: frame.counter)
      guard isOpen == true else {
        return MailboxEntry(
          unreadable: frame, position, .corrupted(offset: offset, reason: "the record was altered: its tag doesn't fit"))
      }
    }
    return MailboxEntry(
      buffer: buffer, id: body..<valueStart, value: valueStart..<valueStart + frame.valueByteCount, frame: frame,
      position: position, fileOffset: offset)
  }
}
