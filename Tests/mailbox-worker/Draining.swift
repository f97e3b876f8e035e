import Foundation
import MailboxLog
import TestSupport

/// `drain DIR OUT`: writes `E id position` for each entry, synced, acknowledges, and then writes `A position`.
///
/// Goes on for ever; with `--until-empty` until twice in a row nothing waits.
func drain(_ arguments: Arguments) throws {
  let reader = try arguments.handles().opened().reader()
  let output = try LedgerFile(arguments[1])
  let limit = arguments.number("--limit", default: 100)
  emit("ready")
  var emptyCount = 0
  while !arguments.has("--until-empty") || emptyCount < 2 {
    var positions: [MailboxPosition] = []
    var lines: [String] = []
    try reader.forEachPending(limit: limit) { entry in
      let id = entry.id
      let payload = entry.payload
      require(payload == ProcessHandles.payload(of: id, byteCount: payload.count), "the payload of \(id) isn't its own")
      lines.append("E \(id) \(ProcessHandles.text(entry.position))")
      positions.append(entry.position)
    }
    try output.write(lines)
    try reader.acknowledge(positions)
    try output.write(positions.map { "A \(ProcessHandles.text($0))" })
    if positions.isEmpty { usleep(1000) } else { emit("drained \(positions.count)") }
    emptyCount = positions.isEmpty ? emptyCount + 1 : 0
  }
  let damage = try reader.damage()
  require(damage.isEmpty, "damage: \(damage)")
}

/// Lines at the end of a file, all of them or a part of the last, and synced.
struct LedgerFile {
  private let descriptor: Int32
  init(_ path: String) throws {
    descriptor = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    require(descriptor >= 0, "can't open \(path)")
  }
  func write(_ lines: [String]) throws {
    if lines.isEmpty { return }
    // From the start of a line, also when the writer before died in the middle of one.
    emit("\n" + lines.joined(separator: "\n"), to: descriptor)
    fdatasync(descriptor)
  }
}
