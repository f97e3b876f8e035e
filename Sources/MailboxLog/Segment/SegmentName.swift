/// The number in `NNNNNNNN.segment`.
struct SegmentNumber: Comparable, Sendable {
  let value: UInt64
  init(_ value: UInt64) { self.value = value }

  /// nil for names of another form.
  init?(name: Span<UInt8>) {
    guard name.count == 16, name.extracting(last: 8).equals(".segment") else { return nil }
    var value: UInt64 = 0
    for i in 0..<8 {
      guard name[i] >= 48, name[i] <= 57 else { return nil }
      value = value * 10 + UInt64(name[i] - 48)
    }
    self.value = value
  }

  var next: SegmentNumber { SegmentNumber(value + 1) }
  static let max = SegmentNumber(99_999_999)

  var name: String {
    var digits = [UInt8](repeating: 48, count: 8)
    var rest = value
    for i in (0..<8).reversed() {
      digits[i] = 48 + UInt8(rest % 10)
      rest /= 10
    }
    return String(decoding: digits, as: UTF8.self) + ".segment"
  }
  static func < (a: SegmentNumber, b: SegmentNumber) -> Bool { a.value < b.value }
}
