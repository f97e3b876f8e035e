import Foundation

extension Rules {
  /// Files that a shell runs or reads: by their first line or their name.
  static func isShell(_ file: SourceFile) -> Bool {
    guard let first = file.lines.first else { return false }
    return file.path.hasSuffix(".sh") || first.hasPrefix("#!") && !Set(first.words).isDisjoint(with: ["bash", "sh"])
  }

  /// A file whose name has no extension is a script, and one that names its interpreter can be run.
  static func executable(_ file: SourceFile, isExecutable: Bool) -> [Finding] {
    let isScript = file.lines.first?.hasPrefix("#!") == true
    if isScript, !isExecutable { return [file.finding(1, "the script isn't executable")] }
    if !isScript, isExecutable { return [file.finding(1, "executable, but its first line names no interpreter")] }
    if !isScript, !file.name.contains(".") { return [file.finding(1, "neither a script (#!) nor a file with an extension")] }
    return []
  }

  /// What `bash -n` says of a script.
  static func shellSyntax(_ file: SourceFile) throws -> [Finding] {
    let bash = Process()
    let errors = Pipe()
    bash.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    bash.arguments = ["bash", "-n", "-c", file.text, file.path]
    bash.standardError = errors
    try bash.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    bash.waitUntilExit()
    return bash.terminationStatus == 0 ? [] : [file.finding(1, "bash can't parse it: \(message)")]
  }
}
