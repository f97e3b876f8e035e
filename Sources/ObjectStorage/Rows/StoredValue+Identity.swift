extension StoredValue {
  /// Bytes that equal values share, and by which a set is ordered: those of a key, and for structs and collections those of their
  /// parts, one after another.
  var identity: [UInt8] {
    var bytes: [UInt8] = []
    appendIdentity(to: &bytes)
    return bytes
  }

  private func appendIdentity(to bytes: inout [UInt8]) {
    switch self {
    case .list(let values):
      for value in values { value.appendIdentity(to: &bytes) }
      bytes.append(0xFF)
    case .map(let entries), .object(let entries):
      for entry in entries {
        KeyCoding.append(.string(entry.name), kind: .string, isOptional: true, to: &bytes)
        entry.value.appendIdentity(to: &bytes)
      }
      bytes.append(0xFF)
    default:
      KeyCoding.append(self, kind: keyKind, isOptional: true, to: &bytes)
    }
  }

  /// The kind whose keys hold every value of this case.
  private var keyKind: ColumnKind {
    switch self {
    case .bool: .bool
    case .uint: .uint64
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .int, .null, .list, .map, .object: .int64
    }
  }
}
