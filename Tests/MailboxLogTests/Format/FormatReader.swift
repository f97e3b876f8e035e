import Foundation
import Testing

/// `Tests/FormatReader`, the reader in Python that was written from the article on the format.
struct FormatReader {
  static let isThere = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + "/python3")
  }
  private static let script = GoldenBench.directory.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FormatReader/read_log.py")

  var rows: [[String: Any]]
  /// 0, all was read; 2, something was damaged; 1, it isn't such a file, or not its key.
  var exitCode: Int32

  static func read(_ path: String, _ options: [String] = []) throws -> FormatReader {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", script.path, path] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let rows = try data.split(separator: UInt8(ascii: "\n")).map { line in
      try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    }
    return FormatReader(rows: rows, exitCode: process.terminationStatus)
  }
}
