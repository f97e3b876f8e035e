import Foundation
import MailboxLog
import TestSupport

/// `append DIR PREFIX COUNT`: prints `id position` once the append has returned. A count of 0 goes on until the process is killed.
///
/// `--one-shot` opens a writer for each; `--each-line` waits for a line before each; `--at MICROSECONDS` appends number i that long and i times
/// `--pace` after 1970; `--slowest` prints the longest append in microseconds last.
func append(_ arguments: Arguments) throws {
  let opened = try arguments.handles().opened()
  let (prefix, count) = (arguments[1], arguments.count(2))
  let batch = arguments.number("--batch", default: 1)
  let size = arguments.number("--size", default: 100)
  let reopen = arguments.has("--one-shot") ? 1 : arguments.number("--reopen", default: .max)
  let begin = arguments.number("--at", default: 0)
  let pace = arguments.number("--pace", default: 1000)
  var writer = try opened.writer()
  emit("ready")
  var slowest = Duration.zero
  var index = 0
  while count == 0 || index < count {
    if index > 0, index % reopen == 0 { writer = try opened.writer() }
    if arguments.has("--each-line"), readLine() == nil { break }
    if begin > 0 { waitUntil(microseconds: begin + index * pace) }
    let ids = (index..<index + batch).map { arguments.has("--fixed-id") ? prefix : "\(prefix)\($0)" }
    var positions: [MailboxPosition] = []
    let duration = try ContinuousClock().measure {
      if batch == 1 {
        positions = [try writer.append(id: ids[0], payload: ProcessHandles.payload(of: ids[0], byteCount: size))]
      } else {
        positions = try writer.appendBatch { frames in
          for id in ids { frames.append(id: id, payload: ProcessHandles.payload(of: id, byteCount: size)) }
        }
      }
    }
    slowest = max(slowest, duration)
    emit(zip(ids, positions).map { "\($0) \(ProcessHandles.text($1))" }.joined(separator: "\n"))
    index += batch
  }
  if arguments.has("--slowest") { emit("slowest \(slowest.microseconds)") }
}

private func waitUntil(microseconds: Int) {
  while true {
    let now = Int(Date().timeIntervalSince1970 * 1e6)
    if now >= microseconds { return }
    // The last stretch without sleeping, so that two processes go on at one moment.
    if microseconds - now > 300 { usleep(UInt32(microseconds - now - 200)) }
  }
}

/// `open-append-close DIR N`: prints resident size, descriptors and mappings after 100 rounds and after all.
func openAppendClose(_ arguments: Arguments) throws {
  let opened = try arguments.handles().opened()
  let state = ProcessState()
  for round in 1...arguments.count(1) {
    let writer = try opened.writer()
    try writer.append(id: "m\(round)", payload: ProcessHandles.payload(of: "m\(round)", byteCount: 200))
    writer.close()
    // Looking costs memory the first time.
    if round == 99 { _ = (state.status("VmRSS"), state.descriptorCount, state.mappings().count) }
    if round == 100 || round == arguments.count(1) {
      emit("\(state.status("VmRSS")) \(state.descriptorCount) \(state.mappings().count)")
    }
  }
}

extension Duration {
  var microseconds: Int { Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000) }
}
