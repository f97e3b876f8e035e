import MailboxLog

/// Prints entries of a log one after another in the format that was asked for.
final class LogPrinter {
  enum Detail { case head, full, change }
  private let output: Output
  private let format: OutputFormat
  private let detail: Detail
  private var isFirst = true

  init(_ invocation: Invocation, _ detail: Detail) {
    output = invocation.output
    format = invocation.format
    self.detail = detail
  }

  /// Also prints what stands in front of the first entry.
  func begin() throws {
    switch format {
    case .json: try output.write("[")
    case .csv:
      let change = detail == .change ? "change," : ""
      try output.line("sequence,appended_at,\(change)expires_at,type,byte_count,key" + (detail == .head ? "" : ",value"))
    case .text, .jsonl, .hex, .prometheus: break
    }
  }

  func print(_ record: borrowing LogRecord) throws {
    defer { isFirst = false }
    switch format {
    case .json:
      try output.write(isFirst ? "\n" : ",\n")
      try printJSON(record)
    case .jsonl:
      try printJSON(record)
      try output.endLine()
    case .csv: try printRow(record)
    case .hex:
      try record.withKey { try output.write(hex: $0) }
      if detail != .head {
        try output.write(" ")
        try record.withValue { try output.write(hex: $0) }
      }
      try output.endLine()
    case .text, .prometheus: try printLine(record)
    }
  }

  func end() throws {
    if format == .json { try output.line(isFirst ? "]" : "\n]") }
  }

  /// Sequence, time, (change,) expiry, type, bytes, key (and value), with a tab between them and no tab inside.
  private func printLine(_ record: borrowing LogRecord) throws {
    try output.write("\(record.sequence)\t\(TimestampText.text(microseconds: record.appendedAt))\t")
    if detail == .change { try output.write("\(record.changeName)\t") }
    let isSet = record.kind == .set
    try output.write("\(record.expiryText ?? "-")\t\(isSet ? record.typeName : "-")\t\(isSet ? "\(record.byteCount)" : "-")\t")
    try record.withKey { try output.write(escaped: $0) }
    if detail != .head {
      try output.write("\t")
      try printValue(record)
    }
    try output.endLine()
  }

  private func printValue(_ record: borrowing LogRecord) throws {
    if record.kind != .set { return }
    if record.type == .string { return try record.withValue { try output.write(escaped: $0) } }
    if record.type == .bytes { return try record.withValue { try output.write(hex: $0) } }
    try output.write(try record.valueText())
  }

  private func printRow(_ record: borrowing LogRecord) throws {
    try output.write("\(record.sequence),\(TimestampText.text(microseconds: record.appendedAt)),")
    if detail == .change { try output.write("\(record.changeName),") }
    let isSet = record.kind == .set
    try output.write("\(record.expiryText ?? ""),\(isSet ? record.typeName : ""),\(isSet ? "\(record.byteCount)" : ""),")
    try output.write(csvCell: Escape.escaped(record.keyBytes))
    if detail != .head {
      try output.write(",")
      if isSet { try output.write(csvCell: try record.valueText()) }
    }
    try output.endLine()
  }

  private func printJSON(_ record: borrowing LogRecord) throws {
    try output.write("{\"sequence\":")
    try output.write(json: record.sequence)
    try output.write(",\"appendedAt\":\"\(TimestampText.text(microseconds: record.appendedAt))\"")
    if detail == .change { try output.write(",\"change\":\"\(record.changeName)\"") }
    if record.kind != .removeAll {
      try output.write(",")
      try output.write(keyOf: record)
    }
    if record.kind == .set {
      if detail == .head {
        try output.write(",\"type\":\"\(record.typeName)\",\"byteCount\":\(record.byteCount)")
      } else {
        try output.write(",")
        try output.write(valueOf: record)
      }
      try output.write(expiryOf: record)
    }
    try output.write("}")
  }
}

extension LogRecord {
  /// When it expires; nil, never.
  var expiryText: String? { expiresAt == 0 ? nil : TimestampText.text(microseconds: expiresAt) }

  var changeName: String {
    switch kind {
    case .set: "set"
    case .remove: "rm"
    case .removeAll: "rm-all"
    case .index: "index"
    }
  }

  /// The value on one line, escaped; hex digits after a question mark for bytes that aren't a value of the type they claim.
  func valueText() throws -> String {
    if let value = try fieldValue() { return value.text }
    return "?" + Hexadecimal.text(try withValue { FieldValue.raw($0) })
  }
}

/// An entry of a log as one line of JSON that loses nothing: `help dump-format` describes it, and `EntryLine` reads it.
extension Output {
  /// Without sequence and time of the append: those belong to the file.
  func write(dumpLine record: borrowing LogRecord) throws {
    try write("{")
    try write(keyOf: record)
    try write(",")
    try write(valueOf: record)
    try write(expiryOf: record)
    try write("}")
    try endLine()
  }

  func write(keyOf record: borrowing LogRecord) throws {
    try record.withKey { key in
      if UTF8Scalars.isValid(key) {
        try write("\"key\":")
        try write(json: key)
      } else {
        try write("\"keyBase64\":\"")
        try write(base64: key)
        try write("\"")
      }
    }
  }

  func write(valueOf record: borrowing LogRecord) throws {
    try write("\"value\":")
    try record.withValue { try write(json: record.type ?? .bytes, $0) }
  }

  func write(expiryOf record: borrowing LogRecord) throws {
    if let text = record.expiryText { try write(",\"expiresAt\":\"\(text)\"") }
  }
}
