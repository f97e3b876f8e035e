import RawMemory

/// A question about one value, answered from its bytes where they are, or from the value itself.
///
/// The byte forms have defaults, which make the value; a test has its own where that is faster.
protocol ValueTest: Sendable {
  /// How the bytes are read; nil when only values are ever asked about.
  var shape: ValueShape? { get }
  /// The answer for nil.
  var nullResult: Bool { get }

  func holds(_ value: StoredValue) -> Bool
  /// - Parameter offset: where the value of a fixed width is; the bytes are there.
  func holds(_ bytes: RawSpan, at offset: Int) throws(RowError) -> Bool
  func holds(_ bytes: RawSpan, in range: Range<Int>) throws(RowError) -> Bool
}

extension ValueTest {
  var nullResult: Bool { holds(.null) }
  func holds(_ bytes: RawSpan, at offset: Int) throws(RowError) -> Bool { holds(try value(.fixed(offset), in: bytes)) }
  func holds(_ bytes: RawSpan, in range: Range<Int>) throws(RowError) -> Bool { holds(try value(.variable(range), in: bytes)) }

  func value(_ field: RowField, in bytes: RawSpan) throws(RowError) -> StoredValue {
    guard let shape else { throw .damaged(reason: .schema) }
    return try shape.value(field, in: bytes)
  }
}
