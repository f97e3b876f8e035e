import MailboxLog
import RawMemory
import Sealing

/// `import`: what another library wrote, into a new log.
enum Import {
  private static let from = CommandOption(name: "from", value: .choice(["mmkv"]), documentation: "what FILE is")
  private static let type = CommandOption(
    name: "type", value: .text("KEY=TYPE"), isRepeatable: true,
    documentation: "how a key's value is read: \(MMKVType.allCases.map(\.rawValue).joined(separator: ", "))")
  private static let types = CommandOption(
    name: "types", value: .text("TSV"), documentation: "read types from a file: a key, a tab and its type in each line")
  private static let guess = CommandOption(
    name: "guess", documentation: "of values without a type, take those that may be text for text, then whole numbers for such")

  static let command = Command(
    name: "import", summary: "read a file of MMKV into a new log",
    operands: [Operand(name: "FILE", documentation: "the data file of MMKV; FILE.crc stands beside it")],
    options: [from, .output, type, types, guess], keyUse: .optional, writes: true,
    details: """
      Values of MMKV carry no type: what --type and --types don't name is taken as raw bytes. Expiry is kept, and what has expired is
      passed over. The key options name the key that the new log gets. Where MMKV's checksum doesn't match, what it last confirmed is read,
      or what parses. Exit 2: something was left out, and it is said what. An encrypted store is refused (77).
      """,
    subject: .nothing, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let arguments = invocation.arguments
    guard arguments.has(from) else { throw ToolFailure.usage("'import' needs --from mmkv") }
    guard let path = arguments.text(.output) else { throw ToolFailure.usage("'import' needs -o OUT") }
    let declared = try MMKVTypes(invocation, file: arguments.text(types), arguments: arguments.texts(type))
    let key = try KeySource(arguments)?.key(invocation.system)
    let store = try MMKVStore(invocation.path, invocation.system)
    let output = try NewFile(path, invocation.system)
    let notes = DamageNotes(path: invocation.path)
    if let fault = store.fault { notes.add(fault) }
    var copy = Copy(store, declared, guesses: arguments.has(guess), notes)
    try output.fill { file in
      let writer = try about(path, creating: true) { try EntryWriter(file, key) }
      try copy.run(into: writer)
      // Nothing of it was MMKV's, most likely: no empty log is left behind.
      if copy.isEmpty, store.fault != nil { throw ToolFailure(.badData, "nothing in it can be read", path: invocation.path) }
      try about(path) { try writer.finish() }
    }
    try invocation.output.line(copy.summary)
    return notes.finish()
  }

  /// The newest record of each key, from one file to the other.
  private struct Copy {
    private let store: MMKVStore
    private let declared: MMKVTypes
    private let guesses: Bool
    private let notes: DamageNotes
    private let hash = KeyedHash(key: SecretBytes.random(count: KeyedHash.keyByteCount))
    private var (typed, guessed, raw, expired, skipped) = (0, 0, 0, 0, 0)

    init(_ store: MMKVStore, _ declared: MMKVTypes, guesses: Bool, _ notes: DamageNotes) {
      self.store = store
      self.declared = declared
      self.guesses = guesses
      self.notes = notes
    }

    mutating func run(into writer: EntryWriter) throws {
      var newest = KeyOffsets()
      let end = try store.forEachRecord { record in
        // Offsets of the table are in units of 8.
        newest.set(hash(record.key.span), record.offset << 3)
      }
      let leftOver = try store.leftOver(from: end)
      if leftOver > 0 { notes.add("\(counted(leftOver, "byte")) left over from byte \(end) on") }
      var copy = self
      try store.forEachRecord { record in
        if record.value.isEmpty || newest.offset(hash(record.key.span)) != record.offset << 3 { return }
        try copy.add(record, to: writer)
      }
      self = copy
    }

    private mutating func add(_ record: MMKVStore.Record, to writer: EntryWriter) throws {
      func refusal(_ reason: String) -> String { "the key '\(Escape.escaped(record.key))' is left out: \(reason)" }
      guard record.key.count <= 1024 else { return skip(refusal("it has \(record.key.count) bytes, more than 1,024")) }
      guard record.value.count <= ByteArgument.byteCountMax, var bytes = try store.body.bytes(record.value) else {
        return skip(refusal("its value has \(record.value.count) bytes, more than \(ByteArgument.byteCountMax)"))
      }
      var expiresAt: Int64 = 0
      if store.valuesExpire {
        guard bytes.count >= 4 else { return skip(refusal("its value has no expiry")) }
        expiresAt = Int64(MMKVType.word(Array(bytes.suffix(4)))) * 1_000_000
        bytes.removeLast(4)
      }
      let type = declared[record.key]
      let guess = type == nil && guesses ? MMKVType.guess(bytes) : nil
      guard let value = guess ?? (type ?? .raw).value(bytes) else {
        return skip(refusal("its value (\(counted(bytes.count, "byte"))) is no \(type?.rawValue ?? "value")"))
      }
      do {
        guard try writer.set(value, forKey: record.key, expiresAt: expiresAt) else {
          expired += 1
          return
        }
      } catch let error as LogError where ToolFailure.code(error) == .badData { return skip(refusal(error.description)) }
      if type != nil { typed += 1 } else if guess != nil { guessed += 1 } else { raw += 1 }
    }

    var isEmpty: Bool { typed + guessed + raw + expired == 0 }

    private mutating func skip(_ sentence: String) {
      skipped += 1
      notes.add(sentence)
    }

    var summary: String {
      let parts = [
        guessed > 0 ? "\(guessed) of guessed types" : nil, raw > 0 ? "\(raw) as raw bytes" : nil,
        expired > 0 ? "\(expired) had expired" : nil, skipped > 0 ? "\(skipped) left out" : nil,
      ]
      return (["imported \(counted(typed + guessed + raw, "key"))"] + parts.compactMap { $0 }).joined(separator: ", ")
    }
  }
}
