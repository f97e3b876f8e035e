import RawMemory

/// Text without the differences that `StringOptions` name, as the UTF-8 of its composed form.
///
/// Two texts are equal under the options when their folded bytes are, and one contains the other when its bytes do. The order
/// is that of Unicode's definitions: decompose, drop diacritics, fold case, compose.
enum TextFolding {
  /// Without options the composed form alone.
  static func folded(_ text: String, _ options: StringOptions) -> [UInt8] {
    Array(foldedString(text, options).utf8)
  }

  /// Of a text's UTF-8 bytes.
  static func folded(_ bytes: borrowing RawSpan, _ options: StringOptions) -> [UInt8] {
    if NormalFormCheck.isASCII(bytes) {
      var copy = bytes.copied()
      if options.contains(.caseInsensitive) { lowercaseASCII(&copy) }
      return copy
    }
    if NormalFormCheck.isComposed(bytes) {
      if options.isEmpty { return bytes.copied() }
      return foldedScalars(bytes.decodedString(), FoldedScalars.table(options))
    }
    return folded(bytes.decodedString(), options)
  }

  static func foldedString(_ text: String, _ options: StringOptions) -> String {
    var scalars = NormalForm.decomposed(text)
    if options.contains(.diacriticInsensitive) { scalars.removeAll(where: isDiacritic) }
    var view = String.UnicodeScalarView()
    for scalar in scalars {
      if options.contains(.caseInsensitive) { appendCaseFolded(scalar, to: &view) } else { view.append(scalar) }
    }
    return NormalForm.composed(String(view))
  }

  /// Inert scalars fold one by one: none of them composes with a neighbour, before or after.
  private static func foldedScalars(_ text: String, _ table: FoldedScalars) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars { table.append(scalar, to: &bytes) }
    return bytes
  }

  private static func lowercaseASCII(_ bytes: inout [UInt8]) {
    for index in bytes.indices where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
  }

  /// Full case folding: what the mappings to lower and upper case don't tell apart. The dotless `ı` is a letter of its own,
  /// though its upper case is `I`.
  static func appendCaseFolded(_ scalar: Unicode.Scalar, to view: inout String.UnicodeScalarView) {
    if scalar.isASCII || scalar == "ı" {
      view.append(scalar.value &- 0x41 < 26 ? Unicode.Scalar(UInt8(scalar.value | 0x20)) : scalar)
      return
    }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        view.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
      }
    }
  }

  /// A nonspacing mark that Unicode calls a diacritic, or one of its blocks of combining marks. Nuktas, kana voicing and viramas
  /// (classes 7, 8 and 9) make another letter or syllable, as vowel signs do.
  static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    let properties = scalar.properties
    guard properties.generalCategory == .nonspacingMark else { return false }
    guard !(7...9).contains(properties.canonicalCombiningClass.rawValue) else { return false }
    switch scalar.value {
    case 0x300...0x36F, 0x483...0x487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0xFE20...0xFE2F: return true
    default: return properties.isDiacritic
    }
  }
}

/// What the scalars of the alphabets fold to, computed once for each set of options.
struct FoldedScalars: Sendable {
  private static let count: UInt32 = 0x590
  private static let withoutCase = FoldedScalars(.caseInsensitive)
  private static let withoutDiacritics = FoldedScalars(.diacriticInsensitive)
  private static let withoutEither = FoldedScalars([.caseInsensitive, .diacriticInsensitive])

  private let bytes: [[UInt8]]
  private let options: StringOptions

  /// - Parameter options: not empty.
  static func table(_ options: StringOptions) -> FoldedScalars {
    if !options.contains(.diacriticInsensitive) { return withoutCase }
    return options.contains(.caseInsensitive) ? withoutEither : withoutDiacritics
  }

  private init(_ options: StringOptions) {
    self.options = options
    bytes = (0..<Self.count).map { value in
      guard let scalar = Unicode.Scalar(value) else { return [] }
      return TextFolding.folded(String(Character(scalar)), options)
    }
  }

  func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    switch scalar.value {
    case 0..<Self.count: result.append(contentsOf: bytes[Int(scalar.value)])
    // Kana, Han and Hangul have no case and no diacritics.
    case 0x3041...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3: result.append(contentsOf: UTF8.encode(scalar)!)
    default: result.append(contentsOf: TextFolding.folded(String(Character(scalar)), options))
    }
  }
}
