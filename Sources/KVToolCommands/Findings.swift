/// What `verify` prints: findings and summaries, as text or as lines of JSON.
final class Findings {
  private let output: Output
  private let isJSON: Bool
  private let path: String
  private(set) var damageCount = 0

  init(_ invocation: Invocation) {
    output = invocation.output
    isJSON = invocation.format == .jsonl
    path = invocation.path
  }

  /// Something that is wrong. It is out before the next record is looked at.
  func add(_ path: String, _ range: Range<UInt64>?, _ sentence: String) throws {
    damageCount += 1
    if isJSON {
      try write("finding", path, range, sentence)
    } else {
      try output.write(escaped: path)
      try output.write(": ")
      try output.write("damaged", .red)
      try output.write(range.map { ": " + (($0.isEmpty) ? "byte \($0.lowerBound)" : PositionText.bytes($0)) } ?? "")
      try output.line(": \(sentence)")
    }
  }

  /// Something worth knowing that isn't wrong.
  func note(_ path: String, _ range: Range<UInt64>?, _ sentence: String) throws {
    if isJSON { return try write("note", path, range, sentence) }
    try output.write(escaped: path)
    try output.line(": \(range.map { PositionText.bytes($0) + ": " } ?? "")\(sentence)")
  }

  /// - Parameters:
  ///   - segmentCount: how many segments were looked at.
  ///   - isWhole: whether all of it could be looked at.
  func finish(segmentCount: Int, isWhole: Bool) throws {
    try finish(summary: counted(segmentCount, "segment"), isWhole: isWhole)
  }

  /// - Parameter summary: what was looked at.
  func finish(summary: String, isWhole: Bool = true) throws {
    if isJSON { return try output.flush() }
    try output.write(escaped: path)
    try output.write(": ")
    if damageCount == 0, !isWhole {
      try output.line("not all of it can be checked by this build")
    } else if damageCount == 0 {
      try output.write("clean", .green)
      try output.line(" (\(summary))")
    } else {
      try output.line(counted(damageCount, "finding"))
    }
    try output.flush()
  }

  private func write(_ kind: String, _ path: String, _ range: Range<UInt64>?, _ sentence: String) throws {
    try output.write("{\"kind\":\"\(kind)\",\"path\":")
    try output.write(json: path)
    if let range { try output.write(",\"from\":\(range.lowerBound),\"to\":\(range.upperBound)") }
    try output.write(",\"message\":")
    try output.write(json: sentence)
    try output.write("}")
    try output.endLine()
  }
}
