import RawMemory

/// The columns that the keys of a tree begin with, and the row's key behind them.
package struct KeyLayout: Sendable {
  struct Column: Sendable {
    let id: UInt16
    let kind: ColumnKind
    let isOptional: Bool

    init(id: UInt16, kind: ColumnKind, isOptional: Bool) {
      self.id = id
      self.kind = kind
      self.isOptional = isOptional
    }

    init(_ column: ColumnSchema, isKey: Bool = false) {
      id = column.id
      kind = column.kind
      isOptional = column.isOptional && !isKey
    }

    func encoded(_ value: StoredValue) -> [UInt8]? {
      var bytes: [UInt8] = []
      return KeyCoding.append(value, kind: kind, isOptional: isOptional, to: &bytes) ? bytes : nil
    }
  }

  let columns: [Column]
  /// nil when it varies.
  let rowKeyByteCount: Int?

  /// Where the row's key begins in an index's key: what is in front of it is the same for rows that tie.
  /// - Throws: when the key is damaged.
  package func rowKeyOffset(in key: RawSpan) throws(RowError) -> Int {
    if let rowKeyByteCount {
      guard key.byteCount >= rowKeyByteCount else { throw .damaged(reason: .tooShort) }
      return key.byteCount - rowKeyByteCount
    }
    var offset = 0
    for column in columns { try column.skip(key, &offset) }
    return offset
  }
}

extension KeyLayout.Column {
  /// Moves behind the column's bytes.
  func skip(_ key: RawSpan, _ offset: inout Int) throws(RowError) {
    if isOptional, try byte(key, &offset) == 0 { return }
    switch kind {
    case .bool: offset += 1
    case .uuid: offset += 16
    case .string, .data: try skipEscaped(key, &offset)
    case .decimal: _ = try KeyCoding.decode(kind: kind, isOptional: false, from: key, at: &offset)
    default: offset += 8
    }
    if offset > key.byteCount { throw .damaged(reason: .tooShort) }
  }

  private func skipEscaped(_ key: RawSpan, _ offset: inout Int) throws(RowError) {
    while let zero = key.firstZero(from: offset), zero + 1 < key.byteCount {
      offset = zero + 2
      if key.load(UInt8.self, at: zero + 1) == 1 { return }
    }
    throw .damaged(reason: .tooShort)
  }

  private func byte(_ key: RawSpan, _ offset: inout Int) throws(RowError) -> UInt8 {
    guard offset < key.byteCount else { throw .damaged(reason: .tooShort) }
    defer { offset += 1 }
    return key.load(UInt8.self, at: offset)
  }
}

extension TypeSchema {
  /// Bytes of a row's key, when all have the same.
  var rowKeyByteCount: Int? { Self.rowKeyByteCount(primaryKeyColumn?.kind) }

  /// - Parameter kind: of the primary key; nil without one.
  static func rowKeyByteCount(_ kind: ColumnKind?) -> Int? {
    switch kind {
    case nil: 8
    case .bool: 1
    case .uuid: 16
    case .string, .data, .decimal: nil
    default: 8
    }
  }
}
