import MailboxLog
import StorageIO

/// One run of a command: its arguments, and what it may use.
struct Invocation {
  let command: Command
  let arguments: ParsedArguments
  let output: Output
  let system: SystemCalls

  /// The first operand: the file or the directory that the command is about. The parser has seen that it is there.
  var path: String { arguments.operands.first ?? "" }

  var format: OutputFormat {
    let name = arguments.text(.format(OutputFormat.allCases))
    return name.flatMap(OutputFormat.init(rawValue:)) ?? command.formats.first ?? .text
  }

  func target() throws -> Target { try Target(path, system) }

  /// Opens something with the key that the command line names, or with none; and when that isn't enough, asks a terminal once.
  func withKey<R>(_ open: (EncryptionKey?) throws -> R) throws -> R {
    if let source = try KeySource(arguments) {
      return try open(try source.key(system))
    }
    do { return try open(nil) } catch LogError.keyRequired where canAsk {
      return try open(try KeySource.fromTerminal(path, system))
    } catch LogError.keyRequired {
      throw ToolFailure(.noPermission, "encrypted, and no key was given; see `kvtool help keys`")
    }
  }

  private var canAsk: Bool { command.keyUse == .whenEncrypted && system.isTerminal(0) && system.isTerminal(2) }

  /// An id from an operand, `--id` or `--key-hex`, as bytes; of a log, a key.
  func id(operand index: Int?, _ noun: String = "id") throws -> [UInt8]? {
    let operand = index.flatMap { arguments.operands.count > $0 ? arguments.operands[$0] : nil }
    let given = [operand, arguments.text(.id), arguments.text(.keyHex)].compactMap { $0 }
    if given.count > 1 {
      throw ToolFailure.usage("give the \(noun) once: as an operand\(noun == "id" ? ", with --id" : "") or with --key-hex")
    }
    if let text = operand ?? arguments.text(.id) { return try Self.unescaped(text, "the \(noun)") }
    return try arguments.text(.keyHex).map { try ByteArgument.bytes($0, "--key-hex", system) }
  }

  func prefix() throws -> [UInt8] { try arguments.text(.prefix).map { try Self.unescaped($0, "--prefix") } ?? [] }

  private static func unescaped(_ text: String, _ name: String) throws -> [UInt8] {
    guard let bytes = Escape.unescaped(text) else {
      throw ToolFailure.usage("\(name) has a bad escape; a backslash is \\\\, and a byte is \\xNN (see `kvtool help escapes`)")
    }
    return bytes
  }
}
