import RawMemory
import StorageIO

/// Everything that waits in some segments at one moment: as appended within a segment, across segments by append time.
final class PendingEntries {
  /// One segment's next pending record.
  final class Source {
    let segment: Segment
    let cursor: RecordCursor
    let keys: SegmentKeys?
    let bounds: Segment.Bounds
    fileprivate(set) var frame: RecordFrame?
    /// Whether anything that a caller could get was met.
    fileprivate(set) var hasPending = false

    init(_ segment: Segment) throws(SystemError) {
      self.segment = segment
      bounds = try segment.bounds()
      keys = segment.keys?.forAnotherUse()
      cursor = RecordCursor(segment, from: bounds.consumedEnd, to: bounds.committedEnd, after: bounds.consumedSequence)
    }
  }

  private(set) var sources: [Source] = []
  private let onDamage: (Segment, Range<UInt64>, String) -> Void
  private var currentIndex: Int?

  /// - Parameter onDamage: told of each unreadable range on the way.
  init(_ segments: [Segment], onDamage: @escaping (Segment, Range<UInt64>, String) -> Void) throws(LogError) {
    self.onDamage = onDamage
    for segment in segments {
      let source = try at(segment.file.path) { () throws(SystemError) in try Source(segment) }
      try advance(source)
      sources.append(source)
    }
  }

  /// The next record of all, or nil. Its frame is valid until the next call.
  func next() throws(LogError) -> Source? {
    if let currentIndex { try advance(sources[currentIndex]) }
    currentIndex = nil
    var best: (index: Int, time: Int64)?
    for (index, source) in sources.enumerated() {
      guard let frame = source.frame else { continue }
      if let best, best.time <= frame.appendedAt { continue }
      best = (index, frame.appendedAt)
    }
    guard let best else { return nil }
    currentIndex = best.index
    return sources[best.index]
  }

  private func advance(_ source: Source) throws(LogError) {
    let segment = source.segment
    source.frame = nil
    while true {
      let step = try at(segment.file.path) { () throws(SystemError) in try source.cursor.next() }
      switch step {
      case .end:
        if let cutOff = source.bounds.cutOff { onDamage(segment, cutOff, "the file ends before its last record") }
        return
      case .damage(let range, let reason): onDamage(segment, range, reason)
      case .record:
        guard let frame = source.cursor.frame, !segment.isAcknowledged(frame) else { continue }
        source.frame = frame
        source.hasPending = true
        return
      }
    }
  }
}
