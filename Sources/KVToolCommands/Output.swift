import CSystem
import MailboxLog
import RawMemory
import StorageIO

/// Standard output: buffered, so that listing costs a call every 64 KiB, and at once for the first line and on a terminal.
final class Output {
  let system: SystemCalls
  let isTerminal: Bool
  /// Only on a terminal, and never with `NO_COLOR`.
  let usesColor: Bool
  private let descriptor: Int32
  private let buffer = ByteBuffer(count: 1 << 16)
  private var used = 0
  private var hasWritten = false
  /// Whether the first line waits with the others, so that it can be taken back.
  var isHeldBack = false

  init(_ system: SystemCalls, descriptor: Int32 = 1) {
    self.system = system
    self.descriptor = descriptor
    isTerminal = system.isTerminal(descriptor)
    let forbids = system.environment("NO_COLOR")?.isEmpty == false || system.environment("TERM") == Array("dumb".utf8)
    usesColor = isTerminal && !forbids
  }

  func write(_ bytes: Span<UInt8>) throws {
    var done = 0
    while done < bytes.count {
      if used == buffer.count { try flush() }
      let count = min(bytes.count - done, buffer.count - used)
      buffer.copy(bytes.extracting(done..<done + count), at: used)
      used += count
      done += count
    }
  }

  func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

  func write(_ text: String) throws { for byte in text.utf8 { try write(byte: byte) } }

  func write(byte: UInt8) throws {
    if used == buffer.count { try flush() }
    buffer.store(byte, at: used)
    used += 1
  }

  func endLine() throws {
    try write(byte: 0x0A)
    if !isHeldBack, isTerminal || !hasWritten { try flush() }
  }

  func line(_ text: String) throws {
    try write(text)
    try endLine()
  }

  /// On return the other side has everything. - Throws: `closedPipe`, `interrupted`, or what the device says.
  func flush() throws {
    hasWritten = true
    var done = 0
    while done < used {
      try ToolFailure.checkInterruption()
      let result = system.writeStream(descriptor, buffer, done..<used)
      switch result {
      case -Int(EINTR): continue
      case -Int(EPIPE):
        used = 0
        throw ToolFailure.closedPipe
      case ..<0:
        used = 0
        throw ToolFailure(.inputOutput, "write: \(SystemCalls.message(Int32(-result)))", path: "standard output")
      default: done += result
      }
    }
    used = 0
  }

  /// Takes back what was written so far. - Returns: false when some of it is out already.
  func takeBack() -> Bool {
    if hasWritten { return false }
    used = 0
    return true
  }

  /// Some devices say only now that they are full.
  func close() throws {
    try flush()
    let result = system.close(descriptor)
    if result < 0, result != -Int(EINTR) {
      throw ToolFailure(.inputOutput, "close: \(SystemCalls.message(Int32(-result)))", path: "standard output")
    }
  }
}
