@_spi(_Unicode) import Swift

/// The normal forms of Unicode, by the standard library's own tables: nothing else here knows of them.
enum NormalForm {
  static func composed(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text._nfc { view.append(scalar) }
    return String(view)
  }

  static func composedUTF8(_ text: String) -> [UInt8] {
    if text.utf8Span.isKnownASCII { return Array(text.utf8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text._nfc { bytes.append(contentsOf: UTF8.encode(scalar)!) }
    return bytes
  }

  static func decomposed(_ text: String) -> [Unicode.Scalar] { Array(text._nfd) }
}
