import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct CompoundIDTests {
  @Test func plainPartsAreJoined() {
    #expect(CompoundID.make("a", "b") == "a_b")
    #expect(CompoundID.make(["a", "b"], separator: "::") == "a::b")
    #expect(CompoundID.make("a_b", "c\\") == "a\\_b_c\\\\")
  }

  @Test func differentPartsNeverGiveOneKey() {
    var random = SplitMix64(seed: 41)
    let pieces = ["", "a", "_", "\\", ":", "::", "é", "_\\"]
    for separator in ["_", "::", "é", "ab", "", "\\", "_\\"] {
      var seen: [String: [String]] = [:]
      for _ in 0..<500 {
        let parts = (0..<random.next() % 4).map { _ in
          (0..<random.next() % 3).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
        }
        let id = CompoundID.make(parts, separator: separator)
        #expect(CompoundID.parts(of: id, separator: separator) == parts)
        if let other = seen[id] { #expect(other == parts) }
        seen[id] = parts
      }
    }
  }
}
