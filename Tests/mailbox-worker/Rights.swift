import Foundation
import MailboxLog
import TestSupport

/// `rights DIR OWN`: as a user without rights. In DIR are a directory 0555, files 0444 and three entries; OWN is this user's to make.
func rights(_ arguments: Arguments) throws {
  if getuid() == 0 {
    require(setgid(65534) == 0 && setuid(65534) == 0 && setuid(0) != 0, "still with rights")
  }
  try readForeign(arguments)
  try loseRights(arguments[1])
  emit("ok")
}

private func readForeign(_ arguments: Arguments) throws {
  var handles = try arguments.handles()
  let before = names(handles.directory)
  handles.options.access = .readOnly
  let reader = try handles.opened().reader()
  var ids: [String] = []
  try reader.forEachPending { ids.append($0.id) }
  require(ids == ["m0", "m1", "m2"], "read: \(ids)")
  require(try reader.pendingCount == 3 && reader.damage().isEmpty && reader.backlog().entryCount == 3, "other counts")
  require(.readOnly, "acknowledge") { try reader.acknowledge([]) }
  let writer = try handles.opened().writer()
  require(try writer.pendingCount == 3 && writer.contains(id: "m1"), "the writer sees something else")
  require(.readOnly, "append") { try writer.append(id: "x", payload: [1]) }
  require(.readOnly, "append a batch") { try writer.appendBatch { $0.append(id: "x", payload: [1]) } }
  // Asked for more than the rights allow: an error with its number, and no trace.
  handles.options.access = .readWrite
  do {
    let opened = try handles.opened()
    try opened.writer().append(id: "x", payload: [1])
    stop("appended without rights")
  } catch {
    guard case .system(_, let code, _)? = error as? LogError, code == EACCES else { stop("without rights: \(error)") }
  }
  require(names(handles.directory) == before, "names changed: \(names(handles.directory))")
}

/// Rights that go away, and come back, while handles are open.
private func loseRights(_ directory: String) throws {
  let handles = ProcessHandles(directory: directory)
  let writer = try handles.opened().writer()
  try writer.append(id: "m0", payload: [1])
  let reader = try handles.opened().reader()
  setModes(directory, 0o555, 0o444)
  let before = names(directory)
  // An open file stays writable; what needs a new one is an error.
  for round in 0..<20 {
    try writer.append(id: "n\(round)", payload: [UInt8](repeating: 1, count: 40_000))
  }
  writer.suspend()
  try writer.resume()
  do {
    try writer.append(id: "x", payload: [1])
    stop("a file without rights was opened")
  } catch {
    guard case .system(_, let code, _) = error, code == EACCES else { stop("after chmod: \(error)") }
  }
  var positions: [MailboxPosition] = []
  try reader.forEachPending { positions.append($0.position) }
  require(positions.count == 21, "\(positions.count) entries")
  // Moves the words through what is open; the name stays.
  do { try reader.acknowledge(positions) } catch {
    guard case .system = error else { stop("acknowledge: \(error)") }
  }
  require(names(directory) == before, "names changed: \(names(directory))")
  setModes(directory, 0o700, 0o600)
  try writer.append(id: "back", payload: [1])
  var ids: [String] = []
  try reader.forEachPending { ids.append($0.id) }
  require(ids == ["back"], "afterwards: \(ids)")
}

private func names(_ directory: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
}
private func setModes(_ directory: String, _ directoryMode: mode_t, _ fileMode: mode_t) {
  if directoryMode & 0o200 != 0 { unsafe _ = directory.withCString { unsafe chmod($0, directoryMode) } }
  for name in names(directory) { unsafe _ = "\(directory)/\(name)".withCString { unsafe chmod($0, fileMode) } }
  unsafe _ = directory.withCString { unsafe chmod($0, directoryMode) }
}

/// `modes DIR UMASK`: makes directory and segments, drains, and makes more, under this umask.
func modes(_ arguments: Arguments) throws {
  umask(mode_t(arguments[1], radix: 8)!)
  let opened = try arguments.handles().opened()
  for round in 0..<20 {
    let writer = try opened.writer()
    try writer.append(id: "m\(round)", payload: [UInt8](repeating: 1, count: 100_000))
    try writer.appendBatch { batch in for index in 0..<5 { batch.append(id: "b\(index)", payload: [1]) } }
    let reader = try opened.reader()
    var positions: [MailboxPosition] = []
    try reader.forEachPending { positions.append($0.position) }
    if round % 2 == 0 { try reader.acknowledge(positions) }
  }
  emit("ok")
}
