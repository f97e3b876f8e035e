extension RecordLine {
  /// Reads a line of a dump. Position and time are those of the append that wrote it, so they are passed over; names that a
  /// later version may add are refused, because loading must not lose what they say.
  init(_ line: [UInt8]) throws(MalformedLine) {
    let record = try JSONParser.value(line)
    guard case .object(let members) = record else { throw MalformedLine("not an object") }
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      if name == "key" { throw MalformedLine("an entry of a log; name a log, or a new one as *.kvlog, to load it into") }
      guard Self.names.contains(name) else { throw MalformedLine("unknown name '\(printable(name))'") }
      if record.values(name).count > 1 { throw MalformedLine("'\(name)' comes twice") }
    }
    guard case .string(let id) = record.values("id").first else { throw MalformedLine("no text under 'id'") }
    if id.isEmpty { throw MalformedLine("the id is empty") }
    self.id = String(decoding: id, as: UTF8.self)
    value = try Self.value(record)
    if let version = record.values("schemaVersion").first {
      guard case .number(let text) = version, let number = UInt32(text) else { throw MalformedLine("'schemaVersion' is no UInt32") }
      schemaVersion = number
    }
    if case .payload = value, schemaVersion != 0 { throw MalformedLine("a payload has no schema version") }
  }

  private static let names: Set<String> = [
    "id", "position", "appendedAt", "schemaVersion", "payload", "payloadBase64", "fields",
  ]

  private static func value(_ record: JSONValue) throws(MalformedLine) -> Value {
    let (texts, encoded, fields) = (record.values("payload"), record.values("payloadBase64"), record.values("fields"))
    guard texts.count + encoded.count + fields.count == 1 else {
      throw MalformedLine("needs one of 'payload', 'payloadBase64' and 'fields'")
    }
    if let payload = texts.first {
      guard case .string(let bytes) = payload else { throw MalformedLine("'payload' is no text") }
      return .payload(bytes)
    }
    if let payload = encoded.first {
      guard case .string(let text) = payload, let bytes = Base64.bytes(text) else {
        throw MalformedLine("'payloadBase64' is no base64")
      }
      return .payload(bytes)
    }
    guard case .object(let members) = fields.first else { throw MalformedLine("'fields' is no object") }
    var read: [(name: String, value: FieldValue)] = []
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      if name.isEmpty { throw MalformedLine("a field without a name") }
      guard let value = FieldValue(member.value) else {
        throw MalformedLine("the field '\(printable(name))' has no value of its type")
      }
      read.append((name, value))
    }
    return .fields(read)
  }
}

extension FieldValue {
  /// From `{"int": 5}` and the like; whole numbers may be texts.
  init?(_ json: JSONValue) {
    guard case .object(let members) = json, members.count == 1 else { return nil }
    switch (String(decoding: members[0].name, as: UTF8.self), members[0].value) {
    case ("string", .string(let bytes)): self = .string(bytes)
    case ("bytes", .string(let text)):
      guard let bytes = Base64.bytes(text) else { return nil }
      self = .bytes(bytes)
    case ("bool", .bool(let value)): self = .bool(value)
    case (let type, .number(let text)): self.init(type: type, number: text)
    case (let type, .string(let bytes)):
      let text = String(decoding: bytes, as: UTF8.self)
      if type == "double" || type == "date" {
        guard let value = Self.notFinite(text) else { return nil }
        self = type == "double" ? .double(value) : .date(value)
      } else {
        self.init(type: type, number: text)
      }
    default: return nil
    }
  }

  private init?(type: String, number: String) {
    switch type {
    case "int":
      guard let value = Int64(number) else { return nil }
      self = .int(value)
    case "uint":
      guard let value = UInt64(number) else { return nil }
      self = .uint(value)
    case "double", "date":
      guard let value = Double(number), value.isFinite else { return nil }
      self = type == "double" ? .double(value) : .date(value)
    default: return nil
    }
  }

  private static func notFinite(_ text: String) -> Double? {
    if text == "inf" { return .infinity }
    if text == "-inf" { return -.infinity }
    guard text.hasPrefix("bits:"), text.utf8.count == 21 else { return nil }
    return UInt64(text.dropFirst(5), radix: 16).map { Double(bitPattern: $0) }
  }
}
