import RawMemory

/// How a value of MMKV is to be read: its files don't say.
enum MMKVType: String, CaseIterable, Sendable {
  case bool, int32, uint32, int64, uint64, float, double, string, bytes
  /// The bytes as MMKV stored them, in front of texts and bytes a length.
  case raw

  /// nil for bytes that are no value of the type.
  func value(_ bytes: [UInt8]) -> FieldValue? {
    switch self {
    case .bool: bytes.count == 1 && bytes[0] <= 1 ? .bool(bytes[0] == 1) : nil
    case .int32: Self.number(bytes).flatMap { Int32(exactly: Int64(bitPattern: $0)) }.map { .int(Int64($0)) }
    case .int64: Self.number(bytes).map { .int(Int64(bitPattern: $0)) }
    case .uint32: Self.number(bytes).flatMap { UInt32(exactly: $0) }.map { .uint(UInt64($0)) }
    case .uint64: Self.number(bytes).map { .uint($0) }
    case .float: bytes.count == 4 ? .double(Double(Float(bitPattern: UInt32(Self.word(bytes))))) : nil
    case .double: bytes.count == 8 ? .double(Double(bitPattern: Self.word(bytes))) : nil
    case .string: Self.contents(bytes).flatMap { UTF8Scalars.isValid($0.span) ? .string($0) : nil }
    case .bytes: Self.contents(bytes).map { .bytes($0) }
    case .raw: .bytes(bytes)
    }
  }

  /// What the bytes may be: a text, else a whole number, else only bytes.
  static func guess(_ bytes: [UInt8]) -> FieldValue {
    if let text = contents(bytes), UTF8Scalars.isText(text.span) { return .string(text) }
    return int64.value(bytes) ?? .bytes(bytes)
  }

  /// All of the bytes as one number in groups of 7 bits.
  private static func number(_ bytes: [UInt8]) -> UInt64? {
    guard let read = leadingNumber(bytes), read.end == bytes.count else { return nil }
    return read.value
  }

  /// What stands behind a length that is exactly theirs.
  private static func contents(_ bytes: [UInt8]) -> [UInt8]? {
    guard let length = leadingNumber(bytes), length.value == UInt64(bytes.count - length.end) else { return nil }
    return Array(bytes[length.end...])
  }

  private static func leadingNumber(_ bytes: [UInt8]) -> (value: UInt64, end: Int)? {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(10).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }

  /// Little-endian.
  static func word(_ bytes: [UInt8]) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The types that were declared for keys.
struct MMKVTypes {
  private var types: [[UInt8]: MMKVType] = [:]

  /// From `--type KEY=TYPE` and `--types FILE`, of which the first win.
  init(_ invocation: Invocation, file: String?, arguments: [String]) throws {
    if let file { try about(file) { try add(linesOf: file, invocation) } }
    for argument in arguments {
      guard let sign = argument.lastIndex(of: "="), let key = Escape.unescaped(String(argument[..<sign])), !key.isEmpty else {
        throw ToolFailure.usage("--type takes KEY=TYPE, not '\(printable(argument))'")
      }
      types[key] = try Self.type(String(argument[argument.index(after: sign)...]))
    }
  }

  subscript(_ key: [UInt8]) -> MMKVType? { types[key] }

  /// `key<TAB>type` a line, escaped as everywhere; what follows another tab, and lines that begin with #, are notes.
  private mutating func add(linesOf path: String, _ invocation: Invocation) throws {
    let bytes = try ByteArgument.file(path, invocation.system)
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let cells = line.split(separator: 0x09, omittingEmptySubsequences: false)
      guard cells.count >= 2, let key = Escape.unescaped(String(decoding: cells[0], as: UTF8.self)), !key.isEmpty else {
        throw ToolFailure(.badData, "line \(index + 1): not a key, a tab and a type", path: path)
      }
      let name = String(decoding: cells[1], as: UTF8.self).filter { $0 != "\r" }
      guard let type = MMKVType(rawValue: name) else {
        throw ToolFailure(.badData, "line \(index + 1): no type '\(printable(name))'; \(Self.choices)", path: path)
      }
      types[key] = type
    }
  }

  private static let choices = "a type is one of \(MMKVType.allCases.map(\.rawValue).joined(separator: ", "))"

  private static func type(_ name: String) throws -> MMKVType {
    if let type = MMKVType(rawValue: name) { return type }
    throw ToolFailure.usage(
      "\(choices), not '\(printable(name))'\(Suggestion.clause(for: name, among: MMKVType.allCases.map(\.rawValue)))")
  }
}
