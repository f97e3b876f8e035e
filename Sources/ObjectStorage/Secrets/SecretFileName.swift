/// The names of secrets' files.
enum SecretFileName {
  /// As every file system allows.
  static let byteCountMax = 255

  /// Letters, digits, `_`, `-` and points that aren't the first stand for themselves, every other byte is `%` and two digits: distinct
  /// keys have distinct names, none leads out of the directory, and none is a temporary file's.
  static func escaped(_ key: String) throws(SecretStoreError) -> String {
    var name: [UInt8] = []
    for byte in key.utf8 {
      switch byte {
      case 0: throw .invalidKey(key)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        name.append(byte)
      case UInt8(ascii: ".") where !name.isEmpty: name.append(byte)
      default:
        name.append(UInt8(ascii: "%"))
        name.append(digit(byte >> 4))
        name.append(digit(byte & 15))
      }
    }
    guard !name.isEmpty, name.count <= byteCountMax else { throw .invalidKey(key) }
    return String(decoding: name, as: UTF8.self)
  }

  /// A key that is a file's name as it stands.
  static func verbatim(_ key: String) throws(SecretStoreError) -> String {
    let bytes = key.utf8
    guard !bytes.isEmpty, bytes.count <= byteCountMax, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
      throw .invalidKey(key)
    }
    guard key != ".", key != ".." else { throw .invalidKey(key) }
    return key
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
