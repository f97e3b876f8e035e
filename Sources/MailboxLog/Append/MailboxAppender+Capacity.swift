import StorageIO

/// Bounding what waits.
extension MailboxAppender {
  /// Makes the target's file reach to `end`, within the capacity.
  func allocate(_ target: Target, upTo end: UInt64) throws(LogError) {
    let growth = try target.tail.growth(upTo: end)
    if growth == 0 { return }
    let room = try makeRoom(growth, sparing: target.segment.number)
    try target.tail.allocate(upTo: end, growingAtMost: room)
  }

  /// Sees to it that `growth` more bytes stay within the capacity.
  /// - Returns: how many more do.
  /// - Throws: `full` when they don't, and nothing may be or can be dropped.
  @discardableResult
  func makeRoom(_ growth: UInt64, sparing spared: SegmentNumber? = nil) throws(LogError) -> UInt64 {
    let capacity = context.options.capacity ?? LogContext.capacityDefault
    var allocated = try context.allocatedByteCount()
    if allocated + growth <= capacity { return capacity - allocated }
    guard context.options.overflow == .dropOldest else { throw .full(capacity: capacity) }
    for number in try context.segmentNumbers(cleaning: false) where number != spared {
      try drop(number)
      allocated = try context.allocatedByteCount()
      if allocated + growth <= capacity { return capacity - allocated }
    }
    throw .full(capacity: capacity)
  }

  /// Removes a whole segment, unless somebody is using it, and counts what waited in it.
  private func drop(_ number: SegmentNumber) throws(LogError) {
    let opening: SegmentOpening
    // One that this key doesn't open isn't this handle's to drop.
    do throws(LogError) { opening = try SegmentOpening.open(number, context, .append) } catch { return }
    guard case .segment(let segment) = opening else { return }
    let count = try at(segment.file.path) { () throws(SystemError) in try context.removeUnread(segment) }
    guard let count, count > 0 else { return }
    droppedCount += count
    context.report(.oldestDropped, "segment \(number.name) was dropped for room, with \(count) entries that waited")
  }
}
