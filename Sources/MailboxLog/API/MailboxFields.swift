import RawMemory

/// Named, typed fields of an entry, readable by kvtool. Setting a name twice keeps the last value.
///
/// Names have 1 to 65,535 bytes of UTF-8; one of another length makes the append throw ``LogError/invalidKey`` or
/// ``LogError/keyTooLarge(byteCount:limit:)``.
public struct MailboxFields {
  /// As ``FieldCoding`` says.
  package private(set) var encodedValue: [UInt8] = []
  /// What is wrong with a field that was set; the append throws it.
  private(set) var fault: LogError?

  package init() {}
  init(encodedValue: [UInt8]) { self.encodedValue = encodedValue }

  /// Sets a field. - Parameter value: any of the seven types, or a type of one's own that is encoded as one of them.
  /// - Complexity: O(bytes set so far), for finding an earlier value.
  public mutating func set(_ name: String, _ value: some LogValue) { setValue(name, value) }

  private mutating func setValue<V: LogValue>(_ name: String, _ value: V) {
    guard begin(name, type: V.logValueType, valueByteCount: value.logByteCount) else { return }
    encodedValue.append(addingCapacity: value.logByteCount) { value.appendLogBytes(to: &$0) }
  }

  /// Sets a field of bytes.
  public mutating func set(_ name: String, _ bytes: Span<UInt8>) {
    guard begin(name, type: .bytes, valueByteCount: bytes.count) else { return }
    for i in bytes.indices { encodedValue.append(bytes[i]) }
  }

  /// Removes a field; an absent one is fine. For upcasters, which start from the fields of the old entry.
  public mutating func remove(_ name: String) {
    guard let found = find(name) else { return }
    encodedValue.removeSubrange(found.name.lowerBound - FieldCoding.headerByteCount..<found.value.upperBound)
  }

  /// Renames a field; an absent one is fine, and one that has the new name already is replaced.
  public mutating func rename(_ name: String, to newName: String) {
    guard let found = find(name) else { return }
    let value = Array(encodedValue[found.value])
    remove(name)
    guard begin(newName, type: found.type, valueByteCount: value.count) else { return }
    encodedValue.append(contentsOf: value)
  }

  /// Everything of a field but its value, after an earlier one of the name is gone.
  private mutating func begin(_ name: String, type: LogValueType, valueByteCount: Int) -> Bool {
    let nameByteCount = name.utf8.count
    if nameByteCount == 0 {
      fault = .invalidKey
    } else if nameByteCount > FieldCoding.nameByteCountMax {
      fault = .keyTooLarge(byteCount: nameByteCount, limit: FieldCoding.nameByteCountMax)
    } else if valueByteCount > UInt32.max {
      fault = .recordTooLarge(byteCount: valueByteCount, limit: Int(UInt32.max))
    } else {
      remove(name)
      FieldCoding.appendHeader(to: &encodedValue, nameByteCount: nameByteCount, type: type, valueByteCount: valueByteCount)
      encodedValue.append(contentsOf: name.utf8)
      return true
    }
    return false
  }

  private func find(_ name: String) -> FieldCoding.Field? {
    let bytes = encodedValue.span
    var offset = 0
    while let field = FieldCoding.field(in: bytes, at: offset) {
      if bytes.extracting(field.name).equals(name) { return field }
      offset = field.value.upperBound
    }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes are those of the text. Not by comparing Strings, which would pull the Unicode tables into an Embedded
  /// binary, and would find é equal to e and an accent.
  func equals(_ text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    var i = 0
    for byte in text.utf8 {
      if self[i] != byte { return false }
      i += 1
    }
    return true
  }
}
