import CSystem
import MailboxLog
import StorageIO

/// `load`: appends what `dump` printed.
enum Load {
  static let command = Command(
    name: "load", summary: "append the records of a dump to a mailbox, or set the entries of one in a log",
    operands: [
      .directory, Operand(name: "FILE", documentation: "the dump; standard input without it or with -", isOptional: true),
    ],
    formats: [.text], keyUse: .whenEncrypted, writes: true,
    details: """
      Records are appended in the order of the lines and get new positions and times. A line that is none is reported with its
      number and skipped, and the exit code is then 2. On return all of them survive a loss of power.
      """,
    handler: run, log: LogLoad.form)

  /// What a record of 16 MiB can take when every byte of it is escaped.
  static let lineByteCountMax = 6 * ByteArgument.byteCountMax + 1 << 20

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let input = try Input(invocation)
    let notes = DamageNotes(path: input.reader.name)
    var loaded = 0
    let writer = try about(creating: true) { try invocation.withKey { key in try open(invocation.path, key) } }
    defer { writer.close() }
    do {
      try forEachRecord(input.reader) { number, result in
        switch result {
        case .success(let record):
          do { try record.append(to: writer) } catch let error as LogError where ToolFailure.code(error) == .badData {
            throw ToolFailure(.badData, "line \(number): \(error.description)", path: input.reader.name)
          }
          loaded += 1
        case .failure(let error): notes.add("line \(number): \(error.reason)")
        }
      }
    } catch {
      try? writer.synchronize()
      Diagnostics.report("loaded before this: \(counted(loaded, "record"))", path: invocation.path)
      throw error
    }
    try writer.synchronize()
    try invocation.output.line(
      "loaded \(counted(loaded, "record"))" + (notes.count > 0 ? ", skipped \(counted(notes.count, "line"))" : ""))
    return notes.finish()
  }

  /// Hands out each line that isn't blank, read.
  static func forEachRecord(_ reader: InputReader, _ body: (Int, Result<RecordLine, MalformedLine>) throws -> Void) throws {
    try forEachLine(reader) { number, line in try body(number, Result { () throws(MalformedLine) in try RecordLine(line) }) }
  }

  /// Hands out each line that isn't blank. - Throws: `badData` for a line that is too long to be a record.
  static func forEachLine(_ reader: InputReader, _ body: (Int, [UInt8]) throws -> Void) throws {
    var (line, number): ([UInt8], Int) = ([], 0)
    while try reader.nextLine(into: &line, byteCountMax: lineByteCountMax) {
      number += 1
      try ToolFailure.checkInterruption()
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      try body(number, line)
    }
  }

  private static func open(_ path: String, _ key: EncryptionKey?) throws -> MailboxWriter {
    var options = LogOptions(key: key)
    // One sync at the end instead of one for each record.
    options.durability = .processCrash
    return try MailboxWriter(directory: path, options: options)
  }

  /// Keeps the file open as long as it is read.
  struct Input {
    let reader: InputReader
    private let file: StorageFile?

    init(_ invocation: Invocation) throws {
      let path = invocation.arguments.operands.count > 1 ? invocation.arguments.operands[1] : "-"
      if path == "-" {
        file = nil
        reader = InputReader(invocation.system)
        return
      }
      let file = try about(path) { try StorageFile(invocation.system, path: path, flags: O_RDONLY | O_NOCTTY) }
      self.file = file
      reader = InputReader(invocation.system, descriptor: file.descriptor, name: path)
    }
  }
}
