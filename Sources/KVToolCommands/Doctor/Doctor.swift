import MailboxLog
import StorageIO

/// `doctor`: what in the environment, or about a file, would trouble who works with it, and what to do.
enum Doctor {
  static let command = Command(
    name: "doctor", summary: "look at the environment, and at a file's rights, locks, key and surroundings, and say what to do",
    operands: [Operand(name: "FILE", documentation: "a mailbox, a log or a store", isOptional: true)], formats: [.text, .jsonl],
    keyUse: .optional,
    details: """
      One line for each thing: ok, note or problem. Changes nothing and takes no lock. With a key, it is said whether that fits the file, and
      whether its own file is safe. Exit 0: no problem; 1: one or more.
      """,
    subject: .nothing, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let diagnosis = Diagnosis(invocation)
    let hasFile = !invocation.arguments.operands.isEmpty
    // What isn't there, or is nobody's, is said first.
    if hasFile { try FileCheck.recognize(invocation) }
    try EnvironmentCheck(diagnosis, invocation.system).run()
    if invocation.arguments.has(.keyFile) { try KeyFileCheck(diagnosis, invocation).run() }
    if hasFile { try FileCheck(diagnosis, invocation).run() }
    try invocation.output.flush()
    return diagnosis.problemCount == 0 ? .success : .no
  }
}

/// What `doctor` prints.
final class Diagnosis {
  enum Level: String { case ok, note, problem }

  private let output: Output
  private let isJSON: Bool
  private(set) var problemCount = 0

  init(_ invocation: Invocation) {
    output = invocation.output
    isJSON = invocation.format == .jsonl
  }

  /// - Parameters:
  ///   - subject: what it is about: a path, or a word.
  ///   - sentence: what is so, and for a problem, what to do.
  func add(_ level: Level, _ subject: String, _ sentence: String) throws {
    if level == .problem { problemCount += 1 }
    if isJSON {
      try output.write("{\"level\":\"\(level.rawValue)\",\"subject\":")
      try output.write(json: subject)
      try output.write(",\"message\":")
      try output.write(json: sentence)
      try output.write("}")
      return try output.endLine()
    }
    switch level {
    case .ok: try output.write("ok", .green)
    case .note: try output.write("note")
    case .problem: try output.write("problem", .red)
    }
    try output.write(": ")
    try output.write(escaped: subject)
    try output.line(": \(sentence)")
  }
}
