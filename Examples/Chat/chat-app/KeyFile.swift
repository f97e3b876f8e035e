internal import FoundationEssentials

/// A key in a file that only its owner can read.
enum KeyFile {
  static func write(_ key: [UInt8], to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: Data(key), attributes: [.posixPermissions: 0o600]) else {
      throw ChatError.input(path: path, reason: "can't be written")
    }
  }

  static func read(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ChatError.input(path: path, reason: "can't be read")
    }
    return Array(data)
  }
}
