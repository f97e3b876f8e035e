@_spi(_Unicode) import Swift

/// The normal forms of Unicode, by the standard library's own tables.
enum NormalForm {
  static func composed(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text._nfc { view.append(scalar) }
    return String(view)
  }

  static func decomposed(_ text: String) -> [Unicode.Scalar] { Array(text._nfd) }
}
