import CSystem
import RawMemory
import StorageIO

/// Standard error: messages, one sentence each, `kvtool: PATH: sentence`.
enum Diagnostics {
  static func report(_ message: String, path: String? = nil, _ system: SystemCalls = .live) {
    let place = path?.nonEmpty.map { printable($0) + ": " } ?? ""
    write("kvtool: \(place)\(message)\n", system)
  }

  /// That it can't be written is nobody's to hear.
  static func write(_ text: String, _ system: SystemCalls = .live) {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return }
    let buffer = ByteBuffer(count: bytes.count)
    buffer.copy(bytes.span, at: 0)
    var done = 0
    while done < bytes.count {
      let result = system.writeStream(2, buffer, done..<bytes.count)
      if result == -Int(EINTR) { continue }
      if result <= 0 { return }
      done += result
    }
  }
}

/// `1 record`, `2 records`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// What a walk over records had to leave out: said on standard error, at most ten times for each path, and counted.
final class DamageNotes {
  private static let shownMax = 10
  private let path: String
  private let isQuiet: Bool
  private(set) var count = 0

  /// - Parameter isQuiet: only counts: for walks that are made again.
  init(path: String, isQuiet: Bool = false) {
    self.path = path
    self.isQuiet = isQuiet
  }

  func add(_ sentence: String, path: String? = nil) {
    count += 1
    if count <= Self.shownMax, !isQuiet { Diagnostics.report(sentence, path: path ?? self.path) }
  }

  /// - Returns: how a command ends that has done everything else.
  func finish() -> ExitCode {
    if count > Self.shownMax, !isQuiet { Diagnostics.report("and \(count - Self.shownMax) more places of damage", path: path) }
    return count == 0 ? .success : .damageSkipped
  }
}
