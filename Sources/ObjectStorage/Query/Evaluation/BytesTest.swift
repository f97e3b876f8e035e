import RawMemory

/// A UUID or Data against a literal, byte by byte.
final class BytesTest: ValueTest {
  let shape: ValueShape?
  private let comparison: QueryComparison
  private let literal: [UInt8]
  private let asked: StoredValue

  init(_ comparison: QueryComparison, _ value: StoredValue, shape: ValueShape) {
    self.comparison = comparison
    asked = value
    var bytes: [UInt8] = []
    switch value {
    case .data(let data): bytes = data
    case .uuid(let uuid): UUIDCoding.append(uuid, to: &bytes)
    default: preconditionFailure("neither bytes nor a UUID")
    }
    literal = bytes
    self.shape = shape
  }

  var nullResult: Bool { comparison == .notEqual }
  func holds(_ value: StoredValue) -> Bool { ValueOrder.holds(comparison, value, asked) }
  func holds(_ bytes: RawSpan, at offset: Int) -> Bool { compare(bytes.extracting(offset..<offset + literal.count)) }
  func holds(_ bytes: RawSpan, in range: Range<Int>) -> Bool { compare(bytes.extracting(range)) }

  private func compare(_ bytes: RawSpan) -> Bool {
    let literal = literal
    if comparison == .equal { return bytes.equals(literal.span.raw) }
    return ValueOrder.holds(comparison, bytes.compare(literal.span.raw))
  }
}
