import MailboxLog

/// Bytes in rows of 16: offset, hex, text, and what they are. Rows that only repeat zeros become one `*`.
struct HexRows {
  private let output: Output
  private var isSkipping = false

  init(_ output: Output) { self.output = output }

  /// - Parameter label: what the range is; stands beside its first row.
  mutating func write(_ segment: SegmentInspection, _ range: Range<UInt64>, _ label: String?) throws {
    var (offset, label) = (range.lowerBound, label)
    while offset < range.upperBound {
      try ToolFailure.checkInterruption()
      let end = min(offset + 4096, range.upperBound)
      let bytes = try segment.read(offset..<end)
      if bytes.isEmpty { break }
      for start in stride(from: 0, to: bytes.count, by: 16) {
        try writeRow(offset + UInt64(start), bytes[start..<min(start + 16, bytes.count)], label)
        label = nil
      }
      offset += UInt64(bytes.count)
    }
  }

  /// Ends the last run of zeros.
  mutating func end() throws {
    isSkipping = false
    try output.flush()
  }

  private mutating func writeRow(_ offset: UInt64, _ bytes: ArraySlice<UInt8>, _ label: String?) throws {
    if label == nil, bytes.count == 16, bytes.allSatisfy({ $0 == 0 }) {
      if !isSkipping { try output.line("*") }
      isSkipping = true
      return
    }
    isSkipping = false
    try output.write(Hexadecimal.text(offset, digits: 8) + " ", .dim)
    var (hex, text) = ("", "")
    for byte in bytes {
      hex += " " + Hexadecimal.text([byte])
      text += (0x20..<0x7F).contains(byte) ? String(Character(Unicode.Scalar(byte))) : "."
    }
    try output.write(
      Usage.padded(hex, label == nil && bytes.count == 16 ? 0 : 48) + "  " + Usage.padded(text, label == nil ? 0 : 16))
    try output.line(label.map { "  " + $0 } ?? "")
  }
}
