import RawMemory

// A stored schema: form (u8); type id (u32); name; primary key (u16, 0 without); next index id (u32); columns, layouts and indexes,
// each with their count (u16) in front. A column: id (u16), name, kind (u8), flags (u8), delete rule (u8), kind of its elements (u8,
// if any), schema of its fields (a block, if any), default (a block in row form, if any). A layout: id (u16), count (u16), and for
// each column id (u16) and whether it is optional (u8). An index: id (u32), whether it is unique (u8), name, count (u16), column ids (u16).
extension TypeSchema {
  static let form: UInt8 = 1
  /// Embedded structs inside each other.
  static let depthMax = 32

  private enum Flags {
    static let optional: UInt8 = 1
    static let elementOptional: UInt8 = 2
    static let fullText: UInt8 = 4
    static let removed: UInt8 = 8
    static let hasDefault: UInt8 = 16
    static let hasElement: UInt8 = 32
    static let hasFields: UInt8 = 64
  }

  /// The schema as the file has it.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = [Self.form]
    bytes.append(littleEndian: typeID)
    bytes.append(text: name)
    bytes.append(littleEndian: primaryKey ?? 0)
    bytes.append(littleEndian: nextIndexID)
    bytes.append(littleEndian: UInt16(columns.count))
    for position in columns.indices { append(position, to: &bytes) }
    bytes.append(littleEndian: UInt16(layouts.count))
    for layout in layouts {
      bytes.append(littleEndian: layout.id)
      bytes.append(littleEndian: UInt16(layout.columns.count))
      for column in layout.columns {
        bytes.append(littleEndian: column.id)
        bytes.append(column.isOptional ? 1 : 0)
      }
    }
    bytes.append(littleEndian: UInt16(indexes.count))
    for index in indexes {
      bytes.append(littleEndian: index.id)
      bytes.append(index.isUnique ? 1 : 0)
      bytes.append(text: index.name)
      bytes.append(littleEndian: UInt16(index.columns.count))
      for id in index.columns { bytes.append(littleEndian: id) }
    }
    return bytes
  }

  private func append(_ position: Int, to bytes: inout [UInt8]) {
    let column = columns[position]
    bytes.append(littleEndian: column.id)
    bytes.append(text: column.name)
    bytes.append(column.kind.rawValue)
    var flags: UInt8 = 0
    if column.isOptional { flags |= Flags.optional }
    if column.isElementOptional { flags |= Flags.elementOptional }
    if column.isFullText { flags |= Flags.fullText }
    if column.isRemoved { flags |= Flags.removed }
    if defaults[position] != nil { flags |= Flags.hasDefault }
    if column.element != nil { flags |= Flags.hasElement }
    if column.fields != nil { flags |= Flags.hasFields }
    bytes.append(flags)
    bytes.append(column.deleteRule.storedNumber)
    if let element = column.element { bytes.append(element.rawValue) }
    if let fields = column.fields { bytes.append(block: fields.encoded) }
    if let value = defaults[position] { bytes.append(block: value) }
  }

  /// Reads a stored schema. - Throws: when the bytes aren't one; they are never trusted.
  package convenience init(decoding bytes: RawSpan) throws(RowError) { try self.init(decoding: bytes.copied(), depth: 0) }

  private convenience init(decoding bytes: [UInt8], depth: Int) throws(RowError) {
    if depth > Self.depthMax { throw .damaged(reason: .schema) }
    var reader = SchemaReader(bytes)
    guard try reader.number(UInt8.self) == Self.form else { throw .damaged(reason: .newerFormat) }
    let typeID = try reader.number(UInt32.self)
    let name = try reader.text()
    let primaryKey = try reader.number(UInt16.self)
    let nextIndexID = try reader.number(UInt32.self)
    var columns: [ColumnSchema] = []
    for _ in 0..<(try reader.number(UInt16.self)) { columns.append(try Self.column(&reader, depth: depth)) }
    var layouts: [RowLayout] = []
    for _ in 0..<(try reader.number(UInt16.self)) { layouts.append(try Self.layout(&reader)) }
    var indexes: [IndexSchema] = []
    for _ in 0..<(try reader.number(UInt16.self)) { indexes.append(try Self.index(&reader)) }
    guard reader.isAtEnd else { throw .damaged(reason: .schema) }
    try self.init(
      typeID: typeID, name: name, columns: columns, layouts: layouts, indexes: indexes,
      primaryKey: primaryKey == 0 ? nil : primaryKey, nextIndexID: nextIndexID)
  }

  private static func column(_ reader: inout SchemaReader, depth: Int) throws(RowError) -> ColumnSchema {
    let id = try reader.number(UInt16.self)
    let name = try reader.text()
    let kind = try kind(&reader)
    let flags = try reader.number(UInt8.self)
    guard let rule = StorageDeleteRule(storedNumber: try reader.number(UInt8.self)) else { throw .damaged(reason: .value) }
    var element: ColumnKind?
    if flags & Flags.hasElement != 0 { element = try self.kind(&reader) }
    var fields: TypeSchema?
    if flags & Flags.hasFields != 0 { fields = try TypeSchema(decoding: try reader.block(), depth: depth + 1) }
    let isElementOptional = flags & Flags.elementOptional != 0
    var value = StoredValue.null
    if flags & Flags.hasDefault != 0 {
      let block = try reader.block()
      let shape = ValueShape(kind: kind, element: element, isElementOptional: isElementOptional, fields: fields)
      value = try block.withRawSpan { (bytes) throws(RowError) in try shape.value(in: bytes, 0..<bytes.byteCount) }
    }
    return ColumnSchema(
      id: id, name: name, kind: kind, isOptional: flags & Flags.optional != 0, element: element,
      isElementOptional: isElementOptional,
      isFullText: flags & Flags.fullText != 0, deleteRule: rule, defaultValue: value, isRemoved: flags & Flags.removed != 0,
      fields: fields)
  }

  private static func kind(_ reader: inout SchemaReader) throws(RowError) -> ColumnKind {
    guard let kind = ColumnKind(rawValue: try reader.number(UInt8.self)) else { throw .damaged(reason: .newerFormat) }
    return kind
  }

  private static func layout(_ reader: inout SchemaReader) throws(RowError) -> RowLayout {
    let id = try reader.number(UInt16.self)
    var columns: [RowLayout.Column] = []
    for _ in 0..<(try reader.number(UInt16.self)) {
      columns.append(RowLayout.Column(id: try reader.number(UInt16.self), isOptional: try reader.number(UInt8.self) != 0))
    }
    return RowLayout(id: id, columns: columns)
  }

  private static func index(_ reader: inout SchemaReader) throws(RowError) -> IndexSchema {
    let id = try reader.number(UInt32.self)
    let isUnique = try reader.number(UInt8.self) != 0
    let name = try reader.text()
    var columns: [UInt16] = []
    for _ in 0..<(try reader.number(UInt16.self)) { columns.append(try reader.number(UInt16.self)) }
    return IndexSchema(id: id, columns: columns, isUnique: isUnique, name: name)
  }
}

extension StorageDeleteRule {
  fileprivate var storedNumber: UInt8 {
    switch self {
    case .nullify: 0
    case .cascade: 1
    case .deny: 2
    }
  }

  fileprivate init?(storedNumber: UInt8) {
    switch storedNumber {
    case 0: self = .nullify
    case 1: self = .cascade
    case 2: self = .deny
    default: return nil
    }
  }
}
