/// The arguments of the process as bytes, one after another.
///
/// `CommandLine.arguments` and comparing `String` would take more memory than opening a push and appending it: the runtime
/// reads the command line through C++ streams, with their locales, and comparing brings in the Unicode tables.
struct RawArguments {
  private let bytes: [UInt8]
  private var start = 0

  /// - Parameter bytes: each argument with a zero behind it, the first being the name of the program.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    advance()
  }

  /// Where the current argument ends; nil past the last.
  private var end: Int? {
    var end = start
    while end < bytes.count, bytes[end] != 0 { end += 1 }
    return end < bytes.count ? end : nil
  }

  var isAtEnd: Bool { end == nil }

  /// Goes on to the next argument if the current one is this.
  mutating func take(_ name: String) -> Bool {
    guard let end, end - start == name.utf8.count else { return false }
    var index = start
    for byte in name.utf8 {
      if bytes[index] != byte { return false }
      index += 1
    }
    advance()
    return true
  }

  /// The current argument; empty at the end.
  mutating func takeValue() -> String {
    guard let end else { return "" }
    defer { advance() }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func advance() {
    if let end { start = end + 1 }
  }
}
