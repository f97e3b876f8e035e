import RawMemory

/// Keys from `lower` on, below `upper`.
package struct KeyRange: Sendable, Equatable {
  package var lower: [UInt8]
  /// nil is the end of the tree.
  package var upper: [UInt8]?

  package init(lower: [UInt8] = [], upper: [UInt8]? = nil) {
    self.lower = lower
    self.upper = upper
  }

  package static let all = KeyRange()

  var isEmpty: Bool { upper.map { !KeyRange.precedes(lower, $0) } ?? false }

  mutating func raiseLower(to bound: [UInt8]) { if KeyRange.precedes(lower, bound) { lower = bound } }
  mutating func dropUpper(to bound: [UInt8]?) {
    guard let bound else { return }
    if let upper, !KeyRange.precedes(bound, upper) { return }
    upper = bound
  }

  static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.span.raw.compare(b.span.raw) < 0 }

  /// The least key above every key that begins with `prefix`; nil when there is none.
  static func successor(of prefix: [UInt8]) -> [UInt8]? {
    var bytes = prefix
    while let last = bytes.popLast() {
      if last < 0xFF {
        bytes.append(last + 1)
        return bytes
      }
    }
    return nil
  }
}
