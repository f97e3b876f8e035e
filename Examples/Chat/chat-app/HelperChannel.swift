/// Lines to a child and lines from it, without ever blocking.
final class HelperChannel {
  /// A child that neither takes nor gives anything for this long is given up.
  static let patience = 30

  let name: String
  let process: HelperProcess
  private var outgoing: [UInt8] = []
  private var sentByteCount = 0
  private var closesInput = false
  private var incoming = LineBuffer()
  private var block = [UInt8](repeating: 0, count: 16 << 10)
  private var progressedAt = monotonicNanoseconds()
  /// Whether the child's output has ended.
  private(set) var isAtEnd = false

  init(_ executable: String, _ arguments: [String]) throws(ChatError) {
    name = String(executable.split(separator: "/").last ?? "")
    process = try HelperProcess(executable, arguments)
  }

  /// Whether something waits to be written.
  var wantsWrite: Bool { sentByteCount < outgoing.count && process.input >= 0 }

  func send(_ line: [UInt8]) {
    outgoing += line
    outgoing.append(UInt8(ascii: "\n"))
    progressedAt = monotonicNanoseconds()
  }

  /// Closes the child's input once everything is written.
  func finishInput() { closesInput = true }

  /// Writes what fits; a child that is gone takes nothing, which its end will tell.
  func flush() {
    while wantsWrite {
      guard let count = process.write(outgoing[sentByteCount...]) else {
        process.closeInput()
        return
      }
      if count == 0 { return }
      sentByteCount += count
      progressedAt = monotonicNanoseconds()
    }
    outgoing.removeAll(keepingCapacity: true)
    sentByteCount = 0
    if closesInput { process.closeInput() }
  }

  /// Reads what has come. - Parameter isAwaited: whether the child owes an answer. - Returns: whole lines. - Throws: `stalled`.
  func receive(isAwaited: Bool) throws(ChatError) -> [[UInt8]] {
    var received: [[UInt8]] = []
    while !isAtEnd, let count = process.read(into: &block) {
      progressedAt = monotonicNanoseconds()
      isAtEnd = count == 0
      incoming.append(block[..<count])
      while let line = incoming.nextLine() { received.append(line) }
    }
    if isAwaited, received.isEmpty, !isAtEnd, monotonicNanoseconds() - progressedAt > UInt64(Self.patience) * 1_000_000_000 {
      throw .stalled(name: name, seconds: Self.patience)
    }
    return received
  }

  /// Kills the child and reads what it had written. A line that was cut off is no line.
  func killAndReceive() throws(ChatError) -> [[UInt8]] {
    process.kill()
    var received: [[UInt8]] = []
    while !isAtEnd {
      received += try receive(isAwaited: false)
      if !isAtEnd { waitForDescriptors(reading: [process.output], writing: [], nanoseconds: 100_000_000) }
    }
    _ = process.wait()
    return received
  }
}
