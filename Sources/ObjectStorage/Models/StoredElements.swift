import RawMemory

/// The elements of a collection where a checked row has them, read as they are touched.
struct StoredElements: Sendable {
  private let bytes: HeapBytes
  private let table: ElementTable
  private let fields: RowMapping?

  init(_ bytes: HeapBytes, _ table: ElementTable, _ fields: RowMapping?) {
    self.bytes = bytes
    self.table = table
    self.fields = fields
  }

  init?<Element: PersistableValue>(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: RowMapping?, of type: Element.Type) {
    let column = Element._columnType
    let table = bytes.withBytes { try? ElementTable($0, range, kind: column.kind, isOptional: column.isOptional) }
    guard let table else { return nil }
    self.init(bytes, table, fields)
  }

  var count: Int { table.count }

  /// The whole collection as the row has it.
  func appendAll(to target: inout [UInt8]) {
    bytes.withBytes { target.append(copying: $0.extracting(table.start..<table.end)) }
  }

  /// The bytes of an enum's raw value that this build doesn't know; nil for every other element.
  func unknownBytes<Element: PersistableValue>(at index: Int, as type: Element.Type) -> [UInt8]? {
    let range: Range<Int>
    switch bytes.withBytes({ try? table.field(at: index, in: $0) }) {
    case .fixed(let offset): range = offset..<offset + (table.kind.fixedByteCount ?? 0)
    case .variable(let found): range = found
    case .null, .absent, nil: return nil
    }
    if Element._isKnown(bytes, range) { return nil }
    return bytes.withBytes { $0.extracting(range).copied() }
  }

  /// Of the elements that this build knows, and the bytes of the others.
  func parted<Element: PersistableValue>(as type: Element.Type) -> (known: [Element], unknown: [[UInt8]]) {
    var (known, unknown): ([Element], [[UInt8]]) = ([], [])
    for index in 0..<count {
      if let bytes = unknownBytes(at: index, as: type) {
        unknown.append(bytes)
      } else if let element = self.known(at: index, as: type) {
        known.append(element)
      }
    }
    return (known, unknown)
  }

  /// nil for an enum's unknown raw value.
  func known<Element: PersistableValue>(at index: Int, as type: Element.Type) -> Element? {
    let field = bytes.withBytes { try? table.field(at: index, in: $0) }
    switch field {
    case .fixed(let offset): return Element._decode(bytes, offset..<offset + (table.kind.fixedByteCount ?? 0), fields)
    case .variable(let range): return Element._decode(bytes, range, fields)
    case .null, .absent, nil: return Element._null
    }
  }

  func element<Element: PersistableValue>(at index: Int, as type: Element.Type) -> Element {
    known(at: index, as: type) ?? Element._placeholder
  }
}
