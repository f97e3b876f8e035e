import Foundation
import RawMemory
import Testing

@testable import ObjectStorage

/// Folding, beside Foundation's.
@Suite struct FoldingTests {
  static let words = [
    "", "plain", "Москва", "москва", "Éj", "éj", "e\u{301}J", "STRASSE", "straße", "İ", "i", "ı", "ẞ", "Ǆ", "ﬁ", "각", "कु", "øŁ",
    "ΐ", "ς", "Σ",
    "ᾀ", "Å", "ガ", "й", "Ёлка", "ÀÉÎÕÜ", "ŉ", "ǰ", "K", "Ὦ", "Việt Nam", "ÇA VA", "Ա", "Ꭰ", "𐐀", "日本語", "🇫🇷", "a\u{300}\u{323}",
  ]
  static let options: [StringOptions] = [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]

  /// B078. `ß` folds to `ss`, `İ` to `i` and a dot above, and to `i` alone without diacritics: as Foundation has them.
  @Test(arguments: words) func equalsFoundation(_ word: String) {
    for options in Self.options where !options.isEmpty {
      var compare: String.CompareOptions = []
      if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
      if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
      let expected = word.folding(options: compare, locale: nil).precomposedStringWithCanonicalMapping
      #expect(TextFolding.foldedString(word, options).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(word) \(options)")
    }
  }

  @Test func caseFoldsAlike() {
    #expect(TextFolding.foldedString("STRASSE", .caseInsensitive) == TextFolding.foldedString("straße", .caseInsensitive))
    #expect(TextFolding.foldedString("İ", .caseInsensitive) == "i\u{307}")
    #expect(TextFolding.foldedString("שָׁלוֹם", .diacriticInsensitive) == "שלום")
  }

  /// Bytes fold as strings do, by whichever of the ways.
  @Test(arguments: words) func bytesFoldAlike(_ word: String) {
    let bytes = Array(word.utf8)
    for options in Self.options {
      let folded = TextFolding.folded(bytes.span.raw, options)
      #expect(folded == Array(TextFolding.foldedString(word, options).utf8), "\(word) \(options)")
    }
  }

  @Test(arguments: words) func composedIsFoundations(_ word: String) {
    #expect(NormalForm.composed(word).unicodeScalars.elementsEqual(word.precomposedStringWithCanonicalMapping.unicodeScalars))
  }

  /// An inert scalar is its own composed form, starts anew, and stays beside every other inert one and behind what composes.
  @Test func inertScalars() {
    for value in UInt32(0)...0x2FFFF where NormalFormCheck.isInert(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      #expect(scalar.properties.canonicalCombiningClass == .notReordered)
      #expect(NormalForm.composed(text).unicodeScalars.elementsEqual([scalar]), "U+\(String(value, radix: 16))")
      for first: Unicode.Scalar in ["a", "\u{1100}", "\u{AC00}", "\u{9C7}", "\u{306F}"] {
        var pair = String.UnicodeScalarView()
        pair.append(contentsOf: [first, scalar])
        #expect(NormalForm.composed(String(pair)).unicodeScalars.elementsEqual(pair), "U+\(String(value, radix: 16))")
      }
    }
  }

  /// The short cut by the first byte says no more than the ranges do.
  @Test func inertBeginnings() {
    for value in UInt32(0x300)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), let first = UTF8.encode(scalar)?.first else { continue }
      if NormalFormCheck.beginsInert(UInt32(first)) { #expect(NormalFormCheck.isInert(value), "U+\(String(value, radix: 16))") }
    }
  }

  @Test(arguments: [
    ("", true), ("plain ascii that is long", true), ("Éj", true), ("e\u{301}", false), ("Москва и Киев", true), ("日本語", true),
  ])
  func check(_ text: String, _ isComposed: Bool) {
    let bytes = Array(text.utf8)
    let found = NormalFormCheck.isComposed(bytes.span.raw)
    #expect(found == isComposed)
  }

  @Test func checkOfBytes() {
    let tails: [[UInt8]] = [[0xCC], [0xCC, 0x80], [0xE3], [0xF0, 0x9F], [0xED, 0xA0, 0x80]]
    for tail in tails {
      for length in 0...17 {
        let bytes = [UInt8](repeating: 0x61, count: length) + tail
        let isComposed = NormalFormCheck.isComposed(bytes.span.raw)
        let isASCII = NormalFormCheck.isASCII(bytes.span.raw)
        #expect(!isComposed && !isASCII)
      }
    }
  }
}
