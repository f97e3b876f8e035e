/// Builds a string key from parts. A separator or backslash inside a part is escaped, so different parts never give one key.
public enum CompoundID {
  /// An underscore.
  public static let defaultSeparator = "_"

  /// A key of these parts.
  public static func make(_ parts: String..., separator: String = defaultSeparator) -> String {
    make(parts, separator: separator)
  }

  /// A key of these parts.
  /// - Parameters:
  ///   - parts: any text.
  ///   - separator: stands between the parts; a backslash in it, or an empty one, is the default instead.
  public static func make(_ parts: [String], separator: String = defaultSeparator) -> String {
    if parts.isEmpty { return noParts }
    let mark = bytes(separator)
    var key: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { key.append(contentsOf: mark) }
      for byte in part.utf8 {
        // Escaping each byte that the separator begins with keeps it from standing anywhere but between parts.
        if byte == backslash || byte == mark[0] { key.append(backslash) }
        key.append(byte)
      }
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// The parts that `make` was given.
  public static func parts(of id: String, separator: String = defaultSeparator) -> [String] {
    if id == noParts { return [] }
    let mark = bytes(separator)
    let key = Array(id.utf8)
    var parts: [String] = []
    var part: [UInt8] = []
    var index = 0
    while index < key.count {
      if key[index] == backslash, index + 1 < key.count {
        part.append(key[index + 1])
        index += 2
      } else if key[index...].starts(with: mark) {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
        index += mark.count
      } else {
        part.append(key[index])
        index += 1
      }
    }
    return parts + [String(decoding: part, as: UTF8.self)]
  }

  /// A backslash that escapes nothing: no list of parts gives it.
  private static let noParts = "\\"
  private static let backslash = UInt8(ascii: "\\")

  private static func bytes(_ separator: String) -> [UInt8] {
    separator.isEmpty || separator.utf8.contains(backslash) ? Array(defaultSeparator.utf8) : Array(separator.utf8)
  }
}
