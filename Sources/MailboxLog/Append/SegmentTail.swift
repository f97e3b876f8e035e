import RawMemory
import StorageIO

/// Where a writer stores records: a window around the tail of a segment, or `pwrite`.
final class SegmentTail {
  private let segment: Segment
  private let context: LogContext
  private var window: Mapping?
  /// Whether this handle has appended to the segment before.
  private(set) var hasWritten = false
  private var lookedAt: UInt64 = 0
  /// The file was found to have no name any more, and never gets one again.
  var isNameless = false
  private static let windowByteCount: UInt64 = 256 << 10

  init(_ segment: Segment, _ context: LogContext) {
    self.segment = segment
    self.context = context
  }

  /// Whether it is time to see if the file still has its name: at each durable append but the first, which has just opened it; else once
  /// a millisecond. - Parameter now: monotonic nanoseconds.
  func mayBeNameless(isDurable: Bool, now: @autoclosure () -> UInt64) -> Bool {
    guard hasWritten else { return false }
    if isDurable { return true }
    let now = now()
    guard now >= lookedAt + 1_000_000 else { return false }
    lookedAt = now
    return true
  }

  /// By how much the file is to grow before `end` fits; 0 when it does.
  func growth(upTo end: UInt64) throws(LogError) -> UInt64 {
    if end <= segment.allocatedEnd { return 0 }
    segment.allocatedEnd = try at(segment.file.path) { () throws(SystemError) in try segment.file.status().byteCount }
    return end <= segment.allocatedEnd ? 0 : roundedUp(end, to: 4096) - segment.allocatedEnd
  }

  /// Makes room up to `end`. Under the segment's lock.
  /// - Parameter room: what is left of the capacity; at least what `growth` said.
  /// - Throws: `noSpace`; the file is as it was, or larger with nothing in it.
  func allocate(upTo end: UInt64, growingAtMost room: UInt64) throws(LogError) {
    let size = segment.allocatedEnd
    let least = roundedUp(end, to: 4096)
    // Doubling at first, then 1 MiB at a time, so that an append seldom pays for growing the file.
    let stride = max(roundedUp(end, to: 64 << 10), size + min(size, 1 << 20))
    let wanted = max(least, min(stride, (size + min(room, 1 << 40)) & ~4095))
    do throws(SystemError) { try grow(from: size, to: wanted) } catch {
      // No room for a stride: what this record needs may still be there.
      guard least < wanted else { throw LogError(error, path: segment.file.path) }
      try at(segment.file.path) { () throws(SystemError) in try grow(from: size, to: least) }
    }
  }

  private func grow(from size: UInt64, to end: UInt64) throws(SystemError) {
    try segment.file.allocate(size..<end)
    segment.allocatedEnd = end
  }

  /// Puts the bytes in place; nothing publishes them yet.
  /// - Parameter isDurable: through `pwrite`: a store through a mapping can dirty, and make the sync write, megabytes.
  func write(_ buffer: ByteBuffer, byteCount: Int, at offset: UInt64, isDurable: Bool) throws(SystemError) {
    defer { hasWritten = true }
    if !isDurable, hasWritten, context.mapsFiles, let window = try window(offset..<offset + UInt64(byteCount)) {
      window.copy(from: buffer, 0..<byteCount, at: Int(offset - window.fileOffset))
    } else {
      try segment.file.write(buffer, 0..<byteCount, at: offset)
    }
  }

  /// nil when the range is too large for a window.
  private func window(_ range: Range<UInt64>) throws(SystemError) -> Mapping? {
    if let window, window.fileOffset <= range.lowerBound, range.upperBound <= window.fileEnd { return window }
    let page = UInt64(context.system.pageByteCount)
    let start = range.lowerBound / page * page
    let end = min(start + max(Self.windowByteCount, page), segment.allocatedEnd / page * page)
    guard range.upperBound <= end else { return nil }
    window = nil
    let made = try segment.file.map(offset: start, count: Int(end - start), writable: true, isForgottenInChild: true)
    window = made
    return made
  }

  private func roundedUp(_ value: UInt64, to unit: UInt64) -> UInt64 { (value + unit - 1) / unit * unit }
}
