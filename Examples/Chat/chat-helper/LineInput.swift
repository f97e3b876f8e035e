/// Standard input as lines. Holds one block and the line that is being read, so its memory is bounded by the longest line.
struct LineInput {
  private static let blockByteCount = 16 << 10

  private var block: [UInt8] = []
  private var offset = 0
  private var isAtEnd = false

  init() { block.reserveCapacity(Self.blockByteCount) }

  /// Whether the next line is here already, so that reading it doesn't wait.
  var hasLine: Bool { block[offset...].contains(UInt8(ascii: "\n")) }

  /// The next line without its end; the last one may lack it. nil at the end of the input.
  mutating func next() throws(HelperError) -> [UInt8]? {
    while true {
      if let end = block[offset...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { offset = end + 1 }
        return Array(block[offset..<end])
      }
      block.removeFirst(offset)
      offset = 0
      if isAtEnd {
        if block.isEmpty { return nil }
        defer { block = [] }
        return block
      }
      isAtEnd = try readInput(into: &block, byteCountMax: Self.blockByteCount) == 0
    }
  }
}
