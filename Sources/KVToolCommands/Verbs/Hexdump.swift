import MailboxLog

/// `hexdump`: the bytes of a segment, each with what it is.
enum Hexdump {
  private static let frameLimit = CommandOption(name: "limit", value: .count("N"), documentation: "stop after N frames")

  static let command = Command(
    name: "hexdump", summary: "print the bytes of a segment or a log with what they mean", operands: [.segment],
    options: [frameLimit], formats: [.text],
    details: "The header block, the block of words, then each frame. Sealed bytes are shown sealed: no key is needed.",
    handler: run,
    log: FileForm(
      operands: [.log], options: [frameLimit], formats: [.text], keyUse: .never,
      details: "Of a log the same; frames are records of its keys, and indexes.", handler: run))

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let segment = try invocation.segment()
    let limit = invocation.arguments.count(.limit) ?? .max
    let output = invocation.output
    var rows = HexRows(output)
    try output.line("header block")
    for field in segment.headerFields() { try rows.write(segment, field.range, "\(field.name): \(printable(field.value))") }
    try output.line("words block (state: \(segment.stateName))")
    for word in segment.words() {
      let value = word.value.map { "\($0)" } ?? "fails its check"
      try rows.write(segment, word.offset..<word.offset + 8, "\(word.name): \(value)")
    }
    if let fault = segment.headerFault {
      try output.line("damaged: \(fault); the rest can't be told apart")
      try rows.write(segment, 2 * Page.byteCount..<segment.fileByteCount, nil)
      try rows.end()
      return .success
    }
    var count = 0
    try untilEndOfWalk {
      try segment.forEachItem { item in
        if count == limit { throw EndOfWalk() }
        count += 1
        let range = item.range
        if let reason = item.badReason {
          try output.line("damaged, \(PositionText.bytes(range)): \(reason)")
          return try rows.write(segment, range, nil)
        }
        let marks = [item.isAcknowledged ? ", acknowledged" : "", item.isBeyondCommittedEnd ? ", not committed" : ""].joined()
        try output.line("frame, \(PositionText.bytes(range))\(marks)")
        var end = range.lowerBound
        for field in try segment.frameFields(at: range.lowerBound) {
          try rows.write(segment, field.range, "\(field.name): \(printable(field.value))")
          end = max(end, field.range.upperBound)
        }
        if end < range.upperBound { try rows.write(segment, end..<range.upperBound, "rest of the frame") }
      }
    }
    try rows.end()
    return .success
  }
}
