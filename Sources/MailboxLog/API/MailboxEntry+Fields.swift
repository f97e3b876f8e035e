import RawMemory

extension MailboxEntry {
  /// The text of a field. - Throws: ``LogError/missingField(name:)``, ``LogError/typeMismatch(stored:requested:)``.
  public func string(_ field: String) throws(LogError) -> String { try value(String.self, field) }
  /// The integer of a field. - Throws: as ``string(_:)``.
  public func int(_ field: String) throws(LogError) -> Int { try value(Int.self, field) }
  /// The unsigned integer of a field. - Throws: as ``string(_:)``.
  public func uint(_ field: String) throws(LogError) -> UInt64 { try value(UInt64.self, field) }
  /// The floating-point number of a field, with all its bits. - Throws: as ``string(_:)``.
  public func double(_ field: String) throws(LogError) -> Double { try value(Double.self, field) }
  /// The truth value of a field. - Throws: as ``string(_:)``.
  public func bool(_ field: String) throws(LogError) -> Bool { try value(Bool.self, field) }
  /// The bytes of a field, copied. - Throws: as ``string(_:)``.
  public func bytes(_ field: String) throws(LogError) -> [UInt8] { try value([UInt8].self, field) }
  /// A field that was set from a `LogTimestamp` or a `Date`. - Throws: as ``string(_:)``.
  public func timestamp(_ field: String) throws(LogError) -> LogTimestamp { try value(LogTimestamp.self, field) }

  /// A field as any type that is encoded as one of the seven.
  /// - Throws: ``LogError/missingField(name:)``, ``LogError/typeMismatch(stored:requested:)``, or
  ///   ``LogError/corrupted(offset:reason:)`` when the bytes aren't a value of the type that they say.
  /// - Complexity: O(fields).
  public func value<V: LogValue>(_ type: V.Type, _ field: String) throws(LogError) -> V {
    guard let found = find(field) else { throw .missingField(name: field) }
    guard found.type == V.logValueType else { throw .typeMismatch(stored: found.type, requested: V.logValueType) }
    let start = valueRange.lowerBound
    let value = buffer.withSpan(start + found.value.lowerBound..<start + found.value.upperBound) { V(logBytes: $0) }
    guard let value else { throw .corrupted(offset: fileOffset, reason: "a field's bytes aren't of its type") }
    return value
  }

  /// Whether there is a field of this name, of any type.
  public func has(_ field: String) -> Bool { find(field) != nil }

  /// Calls `body` with each field, in the order in which the writer set them; the span is the encoded value.
  /// - Throws: ``LogError/corrupted(offset:reason:)`` when what follows isn't a field, and what `body` throws.
  public func forEachField(_ body: (String, LogValueType, Span<UInt8>) throws(LogError) -> Void) throws(LogError) {
    guard hasFields else { return }
    let offset = fileOffset
    try buffer.withSpan(valueRange) { bytes throws(LogError) in
      var at = 0
      while at < bytes.count {
        guard let field = FieldCoding.field(in: bytes, at: at) else {
          throw .corrupted(offset: offset, reason: "the entry's fields end in the middle of one")
        }
        try body(bytes.extracting(field.name).decodedString(), field.type, bytes.extracting(field.value))
        at = field.value.upperBound
      }
    }
  }

  private func find(_ name: String) -> FieldCoding.Field? {
    guard hasFields else { return nil }
    return buffer.withSpan(valueRange) { bytes in
      var at = 0
      while let field = FieldCoding.field(in: bytes, at: at) {
        if bytes.extracting(field.name).equals(name) { return field }
        at = field.value.upperBound
      }
      return nil
    }
  }
}

extension MailboxFields {
  /// The fields of an entry; none for one with a payload.
  package init(of entry: borrowing MailboxEntry) { self.init(encodedValue: entry.hasFields ? entry.encodedValue : []) }
}
