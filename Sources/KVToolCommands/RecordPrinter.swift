import MailboxLog

/// Prints records one after another in the format that was asked for.
final class RecordPrinter {
  enum Detail { case head, full }
  private let output: Output
  private let format: OutputFormat
  private let detail: Detail
  private var isFirst = true

  init(_ invocation: Invocation, _ detail: Detail) {
    output = invocation.output
    format = invocation.format
    self.detail = detail
  }

  /// Also prints what stands in front of the first record.
  func begin() throws {
    switch format {
    case .json: try output.write("[")
    case .csv: try output.line("segment,sequence,appended_at,schema_version,byte_count,kind,id" + (detail == .full ? ",value" : ""))
    case .text, .jsonl, .hex, .prometheus: break
    }
  }

  func print(_ entry: borrowing MailboxEntry) throws {
    defer { isFirst = false }
    switch format {
    case .json:
      try output.write(isFirst ? "\n" : ",\n")
      try printJSON(entry)
    case .jsonl:
      try printJSON(entry)
      try output.endLine()
    case .csv: try printRow(entry)
    case .hex:
      try output.write(hex: entry.idBytes.span)
      if detail == .full {
        try output.write(" ")
        try output.write(hex: entry.encodedValue.span)
      }
      try output.endLine()
    case .text, .prometheus: try printLine(entry)
    }
  }

  func end() throws {
    if format == .json { try output.line(isFirst ? "]" : "\n]") }
  }

  private func printJSON(_ entry: borrowing MailboxEntry) throws {
    switch detail {
    case .head: try output.write(headLine: entry)
    case .full: try output.write(dumpLine: entry)
    }
  }

  /// Position, time, size and id (and value), with a tab between them and no tab inside.
  private func printLine(_ entry: borrowing MailboxEntry) throws {
    try output.write("\(PositionText.short(entry.position))\t\(TimestampText.text(entry.appendedAt))\t\(entry.byteCount)\t")
    try output.write(escaped: entry.idBytes.span)
    if detail == .full {
      try output.write("\t")
      try printValue(entry)
    }
    try output.endLine()
  }

  private func printRow(_ entry: borrowing MailboxEntry) throws {
    let position = entry.position
    try output.write("\(PositionText.text(position.segment)),\(position.sequence),\(TimestampText.text(entry.appendedAt)),")
    try output.write("\(entry.schemaVersion),\(entry.byteCount),\(entry.hasFields ? "fields" : "payload"),")
    try output.write(csvCell: Escape.escaped(entry.idBytes))
    if detail == .full {
      try output.write(",")
      try output.write(csvCell: try valueText(entry))
    }
    try output.endLine()
  }

  private func printValue(_ entry: borrowing MailboxEntry) throws {
    if entry.hasFields { return try output.write(try valueText(entry)) }
    try entry.withPayloadSpan { bytes in try output.write(escaped: bytes) }
  }

  /// The value on one line, escaped: the payload, or `name=value` for each field.
  private func valueText(_ entry: borrowing MailboxEntry) throws -> String {
    if !entry.hasFields { return Escape.escaped(entry.payload) }
    var parts: [String] = []
    try entry.forEachField { name, type, bytes in
      parts.append("\(printable(name))=\(FieldValue(type, bytes)?.text ?? "?" + Hexadecimal.text(FieldValue.raw(bytes)))")
    }
    return parts.joined(separator: " ")
  }
}
