import MailboxLog

extension LedgerRow {
  /// Entries that were remembered one after the other: the first has the number in the row's key, each next one the next.
  ///
  /// The places stay in the form in which they are stored: a row is made by appending, and dropped by counting.
  struct Order: Equatable {
    let recordedAt: LogTimestamp
    let mark: UInt64
    let segment: MailboxSegmentID
    private(set) var count = 0
    private(set) var places: [UInt8] = []

    init(recordedAt: LogTimestamp, mark: UInt64, segment: MailboxSegmentID) {
      self.recordedAt = recordedAt
      self.mark = mark
      self.segment = segment
    }
  }

  /// One entry of the window.
  struct Place: Equatable {
    var appendedAt: LogTimestamp
    var position: MailboxPosition

    /// Whether an entry was appended before this one: by time, and within a segment by sequence.
    func isNewer(than entry: borrowing MailboxEntry) -> Bool {
      let other = entry.position
      if position.segment == other.segment { return other.sequence < position.sequence }
      return entry.appendedAt < appendedAt
    }
  }
}

extension LedgerRow.Order {
  private typealias Offset = LedgerFormat.OrderRow
  private typealias Part = LedgerFormat.Place

  /// Of a stored value without entries.
  static let emptyByteCount = Offset.places + LedgerFormat.checkByteCount
  /// Of the stored value.
  var byteCount: Int { Self.emptyByteCount + places.count }
  /// What one more entry adds.
  static func byteCount(entryKey: some Collection<UInt8>) -> Int { Part.byteCount + entryKey.count }

  mutating func append(_ entryKey: [UInt8], appendedAt: LogTimestamp, sequence: UInt64) {
    LedgerBytes.append(appendedAt.secondsSinceReferenceDate.bitPattern, to: &places)
    LedgerBytes.append(sequence, to: &places)
    LedgerBytes.append(UInt16(truncatingIfNeeded: entryKey.count), to: &places)
    places += entryKey
    count += 1
  }

  /// The entry with this index when it has this key.
  func place(_ index: Int, withKey entryKey: some Collection<UInt8>) -> LedgerRow.Place? {
    var start = 0
    for _ in 0..<index { start = end(ofPlaceAt: start) }
    guard places[(start + Part.byteCount)..<end(ofPlaceAt: start)].elementsEqual(entryKey) else { return nil }
    let time = Double(bitPattern: LedgerBytes.integer(UInt64.self, at: start + Part.appendedAt, in: places))
    let sequence = LedgerBytes.integer(UInt64.self, at: start + Part.sequence, in: places)
    return LedgerRow.Place(
      appendedAt: LogTimestamp(secondsSinceReferenceDate: time),
      position: MailboxPosition(segment: segment, sequence: sequence))
  }

  /// The keys in order, until `body` returns false.
  func forEachKey(_ body: (ArraySlice<UInt8>) throws -> Bool) rethrows {
    var start = 0
    while start < places.count {
      let end = end(ofPlaceAt: start)
      guard try body(places[(start + Part.byteCount)..<end]) else { return }
      start = end
    }
  }

  /// The row without its first entries.
  func dropping(_ droppedCount: Int) -> Self {
    var start = 0
    for _ in 0..<droppedCount { start = end(ofPlaceAt: start) }
    var rest = self
    rest.places = Array(places[start...])
    rest.count -= droppedCount
    return rest
  }

  private func end(ofPlaceAt start: Int) -> Int {
    start + Part.byteCount + Int(LedgerBytes.integer(UInt16.self, at: start + Part.keyByteCount, in: places))
  }

  init?(_ value: [UInt8], forKey key: [UInt8]) {
    guard let row = LedgerBytes(value, forKey: key, byteCountMin: Offset.places) else { return nil }
    recordedAt = row.time(at: Offset.recordedAt)
    mark = row.integer(UInt64.self, at: Offset.mark)
    segment = row.segment(at: Offset.segment)
    places = Array(row.variablePart(from: Offset.places))
    var start = 0
    while start < places.count {
      guard start + Part.byteCount <= places.count else { return nil }
      start = end(ofPlaceAt: start)
      count += 1
    }
    guard start == places.count, count > 0 else { return nil }
  }

  func value(forKey key: [UInt8]) -> [UInt8] {
    var row = LedgerBytes(byteCount: Offset.places, variableByteCount: places.count)
    row.put(recordedAt, at: Offset.recordedAt)
    row.put(mark, at: Offset.mark)
    row.put(segment, at: Offset.segment)
    row.append(places)
    return row.stored(forKey: key)
  }
}
