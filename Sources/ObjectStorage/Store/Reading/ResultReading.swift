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
  mutating func row(at index: Int, _ keys: [[UInt8]], _ rows: RowSource) throws(StorageError) -> Row {
    let key = keys[index]
    if isInOrder, index >= first + ahead.count {
      first = index
      ahead = rows.bytes(keys[index..<min(index + Self.aheadCountMax, keys.count)])
    }
    if index >= first, index < first + ahead.count, let bytes = ahead[index - first] {
      return try rows.row(bytes.bytes(0..<bytes.count), key.span.raw)
    }
    return try rows.knownRow(key.span.raw)
  }
}
