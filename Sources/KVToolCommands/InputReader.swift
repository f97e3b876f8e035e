import CSystem
import RawMemory
import StorageIO

/// Reads a stream from where it stands: whole, or line by line. Memory is bounded by the line.
final class InputReader {
  private let system: SystemCalls
  private let descriptor: Int32
  let name: String
  private let buffer = ByteBuffer(count: 1 << 16)
  private var available = 0..<0

  init(_ system: SystemCalls, descriptor: Int32 = 0, name: String = "standard input") {
    self.system = system
    self.descriptor = descriptor
    self.name = name
  }

  /// Everything up to the end. - Throws: `badData` as soon as there is more than `byteCountMax`.
  func all(byteCountMax: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while try fill() {
      if bytes.count + available.count > byteCountMax { throw tooLarge("more than \(byteCountMax) bytes") }
      bytes += buffer.bytes(available)
      available = 0..<0
    }
    return bytes
  }

  /// The next line without its end, in an array that is used again for each.
  ///
  /// - Returns: false at the end of input. A last line without an end is a line.
  func nextLine(into line: inout [UInt8], byteCountMax: Int) throws -> Bool {
    line.removeAll(keepingCapacity: line.capacity <= 1 << 20)
    let newline: [UInt8] = [0x0A]
    var hasRead = false
    while try fill() {
      hasRead = true
      let end = buffer.withSpan(available) { span in span.raw.firstOffset(of: newline.span.raw) }
      let count = end ?? available.count
      if line.count + count > byteCountMax { throw tooLarge("a line of more than \(byteCountMax) bytes") }
      line += buffer.bytes(available.lowerBound..<available.lowerBound + count)
      available = available.lowerBound + count + (end == nil ? 0 : 1)..<available.upperBound
      if end != nil { return true }
    }
    return hasRead
  }

  /// - Returns: false at the end of input.
  private func fill() throws -> Bool {
    while available.isEmpty {
      try ToolFailure.checkInterruption()
      let result = system.readStream(descriptor, buffer, 0..<buffer.count)
      if result == -Int(EINTR) { continue }
      if result == -Int(EISDIR) { throw ToolFailure(.badData, "is a directory", path: name) }
      if result < 0 { throw ToolFailure(.inputOutput, "read: \(SystemCalls.message(Int32(-result)))", path: name) }
      if result == 0 { return false }
      available = 0..<result
    }
    return true
  }

  private func tooLarge(_ what: String) -> ToolFailure { ToolFailure(.badData, "too large: \(what)", path: name) }
}
