import RawMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is needed to read a value where a column or an element has it.
package struct ValueShape: Sendable {
  package let kind: ColumnKind
  package let element: ColumnKind?
  package let isElementOptional: Bool
  /// Of an embedded struct, or of a collection of them.
  package let fields: TypeSchema?

  package init(_ column: ColumnSchema) {
    kind = column.kind
    element = column.element
    isElementOptional = column.isElementOptional
    fields = column.fields
  }

  init(kind: ColumnKind, element: ColumnKind? = nil, isElementOptional: Bool = false, fields: TypeSchema? = nil) {
    self.kind = kind
    self.element = element
    self.isElementOptional = isElementOptional
    self.fields = fields
  }

  /// Of the elements of a collection.
  var elementShape: ValueShape { ValueShape(kind: element ?? kind, fields: fields) }
}

extension ValueShape {
  /// The value at `field`; `.null` for `.null` and for `.absent`.
  package func value(_ field: RowField, in bytes: RawSpan) throws(RowError) -> StoredValue {
    switch field {
    case .null, .absent: return .null
    case .fixed(let offset): return try value(in: bytes, offset..<offset + (kind.fixedByteCount ?? 0))
    case .variable(let range): return try value(in: bytes, range)
    }
  }

  /// The value that these bytes are.
  package func value(in bytes: RawSpan, _ range: Range<Int>) throws(RowError) -> StoredValue {
    guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount else { throw .damaged(reason: .tooShort) }
    if let width = kind.fixedByteCount, width != range.count { throw .damaged(reason: .tooShort) }
    let at = range.lowerBound
    switch kind {
    case .bool: return .bool(bytes.load(UInt8.self, at: at) != 0)
    case .int8: return .int(Int64(bytes.load(Int8.self, at: at)))
    case .int16: return .int(Int64(bytes.load(Int16.self, at: at)))
    case .int32: return .int(Int64(bytes.load(Int32.self, at: at)))
    case .int64: return .int(bytes.load(Int64.self, at: at))
    case .uint8: return .uint(UInt64(bytes.load(UInt8.self, at: at)))
    case .uint16: return .uint(UInt64(bytes.load(UInt16.self, at: at)))
    case .uint32: return .uint(UInt64(bytes.load(UInt32.self, at: at)))
    case .uint64: return .uint(bytes.load(UInt64.self, at: at))
    case .float: return .double(Float(bitPattern: bytes.load(UInt32.self, at: at)).widened)
    case .double: return .double(Double(bitPattern: bytes.load(UInt64.self, at: at)))
    case .date: return .date(Double(bitPattern: bytes.load(UInt64.self, at: at)))
    case .decimal: return .decimal(DecimalCoding.decode(bytes, at: at))
    case .uuid: return .uuid(UUIDCoding.decode(bytes, at: at))
    case .string: return .string(bytes.extracting(range).decodedString())
    case .data: return .data(bytes.extracting(range).copied())
    case .embedded: return .object(try entries(in: bytes.extracting(range)))
    case .list, .set: return .list(try elements(in: bytes, range))
    case .map: return .map(try pairs(in: bytes, range))
    case .link: throw .damaged(reason: .value)
    }
  }

  private func elements(in bytes: RawSpan, _ range: Range<Int>) throws(RowError) -> [StoredValue] {
    let table = try ElementTable(bytes, range, kind: element ?? kind, isOptional: isElementOptional)
    return try elements(of: table, in: bytes)
  }

  private func elements(of table: ElementTable, in bytes: RawSpan) throws(RowError) -> [StoredValue] {
    let shape = elementShape
    var values: [StoredValue] = []
    for index in 0..<table.count { values.append(try shape.value(try table.field(at: index, in: bytes), in: bytes)) }
    return values
  }

  private func pairs(in bytes: RawSpan, _ range: Range<Int>) throws(RowError) -> [StoredValue.Entry] {
    let tables = try ElementTable.map(bytes, range, kind: element ?? kind, isOptional: isElementOptional)
    let values = try elements(of: tables.values, in: bytes)
    var pairs: [StoredValue.Entry] = []
    for index in 0..<tables.keys.count {
      guard case .variable(let key) = try tables.keys.field(at: index, in: bytes) else { throw .damaged(reason: .value) }
      pairs.append(StoredValue.Entry(bytes.extracting(key).decodedString(), values[index]))
    }
    return pairs
  }

  private func entries(in row: RawSpan) throws(RowError) -> [StoredValue.Entry] {
    guard let fields else { throw .damaged(reason: .schema) }
    return try fields.entries(in: row)
  }
}

extension TypeSchema {
  /// A row's values by name, without those of removed columns.
  package func entries(in row: RawSpan) throws(RowError) -> [StoredValue.Entry] {
    let geometry = try geometry(of: row)
    var entries: [StoredValue.Entry] = []
    for (position, column) in columns.enumerated() where !column.isRemoved {
      let field = try geometry.slot(at: position).field(in: row)
      let value = field == .absent ? column.defaultValue : try ValueShape(column).value(field, in: row)
      entries.append(StoredValue.Entry(column.name, value))
    }
    return entries
  }

  /// The geometry of a row's layout.
  package func geometry(of row: RawSpan) throws(RowError) -> RowGeometry { geometries[try layoutPosition(of: row)] }

  func layoutPosition(of row: RawSpan) throws(RowError) -> Int {
    guard row.byteCount >= 2 else { throw .damaged(reason: .tooShort) }
    let id = row.load(UInt16.self, at: 0) & ~RowGeometry.wideMask
    var position = layouts.count - 1
    while layouts[position].id != id {
      if position == 0 || layouts[position].id < id { throw .damaged(reason: .unknownLayout) }
      position -= 1
    }
    return position
  }
}
