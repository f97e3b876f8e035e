import CSystem
import RawMemory
import StorageIO

/// `genkey`: a new key in a file of its own.
enum GenerateKey {
  private static let size = CommandOption(
    name: "bytes", value: .choice(["32", "64"]), documentation: "how long the key is; 32 by default")

  static let command = Command(
    name: "genkey", summary: "draw a new key into a file that only its owner can read",
    operands: [Operand(name: "FILE", documentation: "the file to make; it must not exist yet")], options: [size], writes: true,
    details: """
      The file holds hex digits and a line end, has mode 600, and survives a loss of power. It is for --key-file; keep a copy of it where
      the encrypted files aren't: nobody can open them without.
      """,
    subject: .nothing, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let system = invocation.system
    let byteCount = invocation.arguments.text(size).flatMap { Int($0) } ?? 32
    let buffer = ByteBuffer(count: 2 * byteCount + 1)
    defer { buffer.zero(0..<buffer.count) }
    let random = try system.randomBytes(byteCount)
    defer { random.zero(0..<random.count) }
    for index in 0..<byteCount {
      let byte = random.load(UInt8.self, at: index)
      buffer.store(Hexadecimal.digit(byte >> 4), at: 2 * index)
      buffer.store(Hexadecimal.digit(byte & 15), at: 2 * index + 1)
    }
    buffer.store(UInt8(0x0A), at: 2 * byteCount)
    let path = invocation.path
    try about(path, creating: true) {
      let file = try StorageFile(system, path: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      do {
        try file.write(buffer, 0..<buffer.count, at: 0)
        try file.synchronize()
        try StorageDirectory.synchronize(system, PathParts(path).directory)
      } catch {
        _ = system.unlink(path)
        throw error
      }
    }
    return .success
  }
}
