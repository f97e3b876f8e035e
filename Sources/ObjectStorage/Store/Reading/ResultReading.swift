import RawMemory

/// What reading one result leaves behind for the next.
@usableFromInline struct ResultReading {
  /// How many rows are found at once: enough that none waits long for memory, few enough that one who stops early has lost little.
  private static let aheadCountMax = 16

  /// Of results that are a stretch of keys.
  var place: ResultPositions.Place?
  /// Whether the results are read one after another.
  private let isInOrder: Bool
  /// The bytes of rows from `first` on.
  private var ahead: [ByteView?] = []
  private var first = 0

  @usableFromInline init(isInOrder: Bool = false) { self.isInOrder = isInOrder }

  /// A row of results that are known by their keys.
  mutating func row(at index: Int, of found: ResultRows) throws(StorageError) -> Row {
    guard let source = found.source else { throw .corrupted(page: 0, reason: "there is nowhere to read it from") }
    if isInOrder, index >= first + ahead.count {
      first = index
      ahead = source.bytes(found.keys[index..<min(index + Self.aheadCountMax, found.keys.count)])
    }
    let key = found.keys[index]
    if index >= first, index < first + ahead.count, let bytes = ahead[index - first] {
      return try source.row(bytes.bytes(0..<bytes.count), key.span.raw)
    }
    return try source.knownRow(key.span.raw)
  }
}
