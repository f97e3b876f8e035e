import MailboxLog

/// A record as one line of JSON that loses nothing: `help dump-format` describes it, and `RecordLine` reads it.
extension Output {
  func write(dumpLine entry: borrowing MailboxEntry) throws {
    try writeHead(entry)
    if entry.hasFields {
      try write(",\"fields\":{")
      var isFirst = true
      try entry.forEachField { name, type, bytes in
        try write(isFirst ? "" : ",")
        isFirst = false
        try write(json: name)
        try write(":")
        try write(json: type, bytes)
      }
      try write("}")
    } else {
      try entry.withPayloadSpan { bytes in try write(payload: bytes) }
    }
    try write("}")
  }

  /// A record without its value: for `ls`.
  func write(headLine entry: borrowing MailboxEntry) throws {
    try writeHead(entry)
    try write(",\"byteCount\":\(entry.byteCount),\"kind\":\"\(entry.hasFields ? "fields" : "payload")\"}")
  }

  /// The opening brace and what every form begins with.
  private func writeHead(_ entry: borrowing MailboxEntry) throws {
    let position = entry.position
    try write("{\"id\":")
    try write(json: entry.idBytes.span)
    try write(",\"position\":{\"segment\":\"\(PositionText.text(position.segment))\",\"sequence\":")
    try write(json: position.sequence)
    try write("},\"appendedAt\":\"\(TimestampText.text(entry.appendedAt))\",\"schemaVersion\":\(entry.schemaVersion)")
  }

  private func write(payload bytes: Span<UInt8>) throws {
    if UTF8Scalars.isText(bytes) {
      try write(",\"payload\":")
      try write(json: bytes)
    } else {
      try write(",\"payloadBase64\":\"")
      try write(base64: bytes)
      try write("\"")
    }
  }

  /// A value in an object whose one name is its type.
  func write(json type: LogValueType, _ bytes: Span<UInt8>) throws {
    switch FieldValue(type, bytes) {
    case .string where UTF8Scalars.isValid(bytes):
      try write("{\"string\":")
      try write(json: bytes)
    case .int(let value):
      try write(value.magnitude <= 1 << 53 ? "{\"int\":\(value)" : "{\"int\":\"\(value)\"")
    case .uint(let value):
      try write("{\"uint\":")
      try write(json: value)
    case .double(let value): try write("{\"double\":\(Self.number(value))")
    case .bool(let value): try write("{\"bool\":\(value)")
    case .date(let seconds): try write("{\"date\":\(Self.number(seconds))")
    case .bytes, .string, nil:
      try write("{\"bytes\":\"")
      try write(base64: bytes)
      try write("\"")
    }
    try write("}")
  }

  /// The shortest decimal that reads back as the same bits; what JSON has no number for is a string.
  static func number(_ value: Double) -> String {
    if value.isFinite { return "\(value)" }
    return value.isNaN ? "\"bits:\(Hexadecimal.text(value.bitPattern, digits: 16))\"" : value < 0 ? "\"-inf\"" : "\"inf\""
  }
}
