import CSystem
import MailboxLog
import RawMemory
import StorageIO

/// Where the key of a command comes from.
enum KeySource {
  case file(String)
  case descriptor(Int32)
  case environment(String)
  case command(String)

  /// Which key: the file's, or the one that it is to get.
  enum Role { case own, new }

  /// nil when the command line names none. - Throws: a usage error when it names two.
  init?(_ arguments: ParsedArguments, _ role: Role = .own) throws(ToolFailure) {
    let options = role == .own ? CommandOption.keySources : CommandOption.newKeySources
    let given = options.filter { arguments.has($0) }
    if given.count > 1 { throw .usage("give one source of the key: --\(given[0].name) or --\(given[1].name)") }
    if let path = arguments.text(options[0]) {
      self = .file(path)
    } else if let number = arguments.count(options[1]) {
      guard let descriptor = Int32(exactly: number) else {
        throw .usage("'--\(options[1].name)' takes the number of an open descriptor")
      }
      self = .descriptor(descriptor)
    } else if let name = arguments.text(options[2]) {
      self = .environment(name)
    } else if let command = arguments.text(options[3]) {
      self = .command(command)
    } else {
      return nil
    }
  }

  func key(_ system: SystemCalls) throws -> EncryptionKey {
    switch self {
    case .file(let path): try about(path) { try Self.fromFile(path, system) }
    case .descriptor(let number): try about("--key-fd \(number)") { try Self.read(number, system) }
    case .environment(let name): try about("--key-env \(name)") { try Self.fromEnvironment(name, system) }
    case .command(let command): try about("--key-command") { try Self.fromCommand(command, system) }
    }
  }

  /// Asks on the terminal that standard input is, without showing what is typed.
  static func fromTerminal(_ path: String, _ system: SystemCalls) throws -> EncryptionKey {
    Diagnostics.write("Key of \(printable(path)) (hex): ", system)
    let buffer = ByteBuffer(count: KeyText.byteCountMax)
    let count = system.readSilently(0, buffer, 0..<buffer.count)
    Diagnostics.write("\n", system)
    try ToolFailure.checkInterruption()
    if count <= 0 { throw ToolFailure(.noPermission, "no key was typed") }
    return try KeyText.key(buffer, count: count)
  }

  private static func fromFile(_ path: String, _ system: SystemCalls) throws -> EncryptionKey {
    let file = try StorageFile(system, path: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
    let status = try file.status()
    // A pipe would be waited for, and a directory has another kind of mode.
    guard status.kind == .file else { throw ToolFailure(.noPermission, "a key file has to be a regular file") }
    let mode = status.mode
    guard mode & 0o077 == 0 else {
      let digits = String(mode & 0o777, radix: 8)
      throw ToolFailure(.noPermission, "others than its owner can get at this key (mode \(digits)); run chmod 600 on it")
    }
    return try read(file.descriptor, system)
  }

  private static func fromEnvironment(_ name: String, _ system: SystemCalls) throws -> EncryptionKey {
    guard let value = system.environment(name) else { throw ToolFailure(.noPermission, "no such environment variable") }
    let buffer = ByteBuffer(count: KeyText.byteCountMax)
    let count = min(value.count, buffer.count)
    buffer.copy(value.span.extracting(0..<count), at: 0)
    return try KeyText.key(buffer, count: count)
  }

  private static func fromCommand(_ command: String, _ system: SystemCalls) throws -> EncryptionKey {
    var key: Result<EncryptionKey, any Error>?
    let status = system.runShell(command) { descriptor in key = Result { try read(descriptor, system) } }
    try ToolFailure.checkInterruption()
    if status < 0 { throw ToolFailure(.inputOutput, "could not be run: \(SystemCalls.message(Int32(-status)))") }
    if status > 0 { throw ToolFailure(.noPermission, "ended with status \(status)") }
    guard let key else { throw ToolFailure(.noPermission, "gave no key") }
    return try key.get()
  }

  private static func read(_ descriptor: Int32, _ system: SystemCalls) throws -> EncryptionKey {
    let buffer = ByteBuffer(count: KeyText.byteCountMax)
    var count = 0
    while count < buffer.count {
      let result = system.readStream(descriptor, buffer, count..<buffer.count)
      if result == -Int(EINTR) {
        try ToolFailure.checkInterruption()
        continue
      }
      if result < 0 { throw ToolFailure(.inputOutput, "read: \(SystemCalls.message(Int32(-result)))") }
      if result == 0 { break }
      count += result
    }
    return try KeyText.key(buffer, count: count)
  }
}
