import MailboxLog

/// `page`: 4,096 bytes of a segment as they are.
enum Page {
  static let byteCount: UInt64 = 4096

  private static let number = Operand(name: "N", documentation: "the number of the page, from 0")

  static let command = Command(
    name: "page", summary: "print one page of 4,096 bytes of a segment or a log",
    operands: [.segment, number], formats: [.text],
    details: "Exit 1: the file has no such page.", handler: run,
    log: FileForm(operands: [.log, number], formats: [.text], keyUse: .never, handler: run))

  static func run(_ invocation: Invocation) throws -> ExitCode {
    guard let number = UInt64(invocation.arguments.operands[1]), number < UInt64.max / byteCount - 1 else {
      throw ToolFailure.usage("N is the number of a page, from 0, not '\(printable(invocation.arguments.operands[1]))'")
    }
    let segment = try invocation.segment()
    let start = number * byteCount
    guard start < segment.fileByteCount else {
      let count = (segment.fileByteCount + byteCount - 1) / byteCount
      Diagnostics.report("no page \(number): the file has \(count) pages", path: invocation.path)
      return .no
    }
    var rows = HexRows(invocation.output)
    try rows.write(segment, start..<min(start + byteCount, segment.fileByteCount), nil)
    try rows.end()
    return .success
  }
}

extension Operand {
  static let segment = Operand(name: "FILE", documentation: "a segment file (NNNNNNNN.segment)")
}

extension Invocation {
  /// The one segment file that the first operand names, opened without a key.
  func segment() throws -> SegmentInspection {
    guard case .file(let path) = try target() else {
      throw ToolFailure(.usage, "a directory; name one of its segment files")
    }
    return try SegmentInspection(path: path, key: nil, isLog: command.subject == .log)
  }
}
