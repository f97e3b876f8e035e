import MailboxLog

/// An entry of a log, as a line of a dump gives it.
struct EntryLine {
  let key: [UInt8]
  let value: FieldValue
  /// Microseconds since 1970; 0, never.
  let expiresAt: Int64

  private static let names: Set<String> = ["key", "keyBase64", "value", "expiresAt", "sequence", "appendedAt"]

  /// Sequence and time, which `ls` prints, are those of another file and passed over. Names that a later version may add are refused,
  /// because loading must not lose what they say.
  init(_ line: [UInt8]) throws(MalformedLine) {
    let entry = try JSONParser.value(line)
    guard case .object(let members) = entry else { throw MalformedLine("not an object") }
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      if name == "id" { throw MalformedLine("a record of a mailbox; name a directory, or a new one, to load it into") }
      guard Self.names.contains(name) else { throw MalformedLine("unknown name '\(printable(name))'") }
      if entry.values(name).count > 1 { throw MalformedLine("'\(name)' comes twice") }
    }
    key = try Self.key(entry)
    guard let json = entry.values("value").first else { throw MalformedLine("no 'value'") }
    guard let value = FieldValue(json) else { throw MalformedLine("'value' is no value of its type") }
    self.value = value
    guard let expiry = entry.values("expiresAt").first else {
      expiresAt = 0
      return
    }
    guard case .string(let text) = expiry, let microseconds = TimestampText.microseconds(String(decoding: text, as: UTF8.self))
    else {
      throw MalformedLine("'expiresAt' is no time")
    }
    expiresAt = microseconds
  }

  private static func key(_ entry: JSONValue) throws(MalformedLine) -> [UInt8] {
    let key: [UInt8]
    switch (entry.values("key").first, entry.values("keyBase64").first) {
    case (.string(let bytes), nil): key = bytes
    case (nil, .string(let text)):
      guard let bytes = Base64.bytes(text) else { throw MalformedLine("'keyBase64' is no base64") }
      guard UTF8Scalars.isValid(bytes.span) else { throw MalformedLine("the key isn't UTF-8, and this build writes no other") }
      key = bytes
    default: throw MalformedLine("needs text under 'key' or 'keyBase64'")
    }
    guard (1...1024).contains(key.count) else { throw MalformedLine("the key has \(key.count) bytes, not 1 to 1,024") }
    return key
  }
}
