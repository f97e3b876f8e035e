/// A path, cut at its last separator. Bytes, because comparing a `String` needs tables that a helper can't afford.
package struct PathParts: Sendable {
  /// "." for a single name, "/" for what stands in the root.
  package let directory: String
  package let name: String

  package init(_ path: String) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      (directory, name) = (".", path)
      return
    }
    directory = slash == bytes.startIndex ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    name = String(decoding: bytes[bytes.index(after: slash)...], as: UTF8.self)
  }

  /// The directory above one, nil for the root and for a single name. Separators at the end don't count.
  package static func parent(of path: String) -> String? {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard bytes.count > 1, bytes.contains(UInt8(ascii: "/")) else { return nil }
    return PathParts(String(decoding: bytes, as: UTF8.self)).directory
  }
}
