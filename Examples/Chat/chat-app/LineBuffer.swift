/// Bytes as they come in, taken out as lines.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var offset = 0

  mutating func append(_ block: ArraySlice<UInt8>) {
    if offset > bytes.count / 2 {
      bytes.removeFirst(offset)
      offset = 0
    }
    bytes.append(contentsOf: block)
  }

  /// The next whole line, without its end; nil when there is none yet.
  mutating func nextLine() -> [UInt8]? {
    guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { offset = end + 1 }
    return Array(bytes[offset..<end])
  }

  /// What is left behind the last line end.
  mutating func takeRest() -> [UInt8] {
    defer {
      bytes = []
      offset = 0
    }
    return Array(bytes[offset...])
  }
}
