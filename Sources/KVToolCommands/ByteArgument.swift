import CSystem
import RawMemory
import StorageIO

/// Bytes on the command line: hex digits, `base64:TEXT`, or `@FILE`.
enum ByteArgument {
  /// No id, and no record, is larger.
  static let byteCountMax = 16 << 20

  static func bytes(_ text: String, _ name: String, _ system: SystemCalls) throws -> [UInt8] {
    if text.hasPrefix("@") { return try file(String(text.dropFirst()), system) }
    let isBase64 = text.hasPrefix("base64:")
    let decoded = isBase64 ? Base64.bytes(Array(text.utf8.dropFirst(7))) : Hexadecimal.bytes(Array(text.utf8))
    guard let decoded else {
      throw ToolFailure.usage("\(name): '\(printable(text))' is not \(isBase64 ? "base64 with padding" : "pairs of hex digits")")
    }
    return decoded
  }

  /// The whole of a file. - Throws: `badData` when it is too large to be part of a record.
  static func file(_ path: String, _ system: SystemCalls) throws -> [UInt8] {
    try about(path) {
      let file = try StorageFile(system, path: path, flags: O_RDONLY | O_NOCTTY)
      return try InputReader(system, descriptor: file.descriptor, name: path).all(byteCountMax: byteCountMax)
    }
  }
}
