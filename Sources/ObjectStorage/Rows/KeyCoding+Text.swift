import RawMemory

extension KeyCoding {
  /// Appends text without an end: the common beginning of the keys of everything that starts with it, byte by byte in NFC.
  package static func appendEscaped(normalized text: String, to key: inout [UInt8]) {
    let utf8 = text.utf8Span
    if utf8.isKnownASCII { appendEscaped(utf8.span, to: &key) } else { appendEscaped(normalizedUTF8(text).span, to: &key) }
  }

  /// The UTF-8 of the NFC form: what strings are compared by.
  package static func normalizedUTF8(_ text: String) -> [UInt8] { NormalForm.composedUTF8(text) }

  /// Appends text that is ASCII without zeros: as it is in all of its forms.
  static func append(plain text: RawSpan, isOptional: Bool, to key: inout [UInt8]) {
    if isOptional { key.append(1) }
    key.append(copying: text)
    key.append(contentsOf: terminator)
  }

  static func appendEscaped(_ bytes: Span<UInt8>, to key: inout [UInt8]) {
    // Hardly any text has a zero in it.
    if bytes.raw.firstZero() == nil { return key.append(copying: bytes.raw) }
    for index in bytes.indices {
      key.append(bytes[index])
      if bytes[index] == 0 { key.append(0xFF) }
    }
  }
}
