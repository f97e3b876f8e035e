import Foundation
import MailboxLog
import TestSupport

/// `memory idle|append DIR`: opens, appends one and closes, or does nothing; prints microseconds, VmHWM, RssAnon, RssFile in KiB.
func memory(_ arguments: Arguments) throws {
  limitAddressSpace(to: arguments.number("--address-space", default: 0))
  var microseconds = 0
  if arguments[1] == "append" {
    let handles = try arguments.handles()
    let duration = try ContinuousClock().measure {
      let writer = try handles.opened().writer()
      try writer.append(id: "measured", payload: ProcessHandles.payload(of: "measured", byteCount: 100))
      writer.close()
    }
    microseconds = duration.microseconds
  }
  let state = ProcessState()
  emit("\(microseconds) \(state.status("VmHWM")) \(state.status("RssAnon")) \(state.status("RssFile"))")
}

private func limitAddressSpace(to byteCount: Int) {
  guard byteCount > 0 else { return }
  var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
  require(unsafe setrlimit(__rlimit_resource_t(9), &limit) == 0, "no limit on the address space")  // RLIMIT_AS
}

/// `size-limit DIR default|ignored`: files may have 64 KiB; appends until that is an error, and goes on after the limit is raised.
func sizeLimit(_ arguments: Arguments) throws {
  if arguments[1] == "ignored" { signal(SIGXFSZ, SIG_IGN) } else { signal(SIGXFSZ, SIG_DFL) }
  setSizeLimit(64 << 10)
  let opened = try arguments.handles().opened()
  let writer = try opened.writer()
  var ids: [String] = []
  func append() throws {
    let id = "m\(ids.count)"
    try writer.append(id: id, payload: ProcessHandles.payload(of: id, byteCount: 1024))
    ids.append(id)
  }
  while true {
    do { try append() } catch {
      require(error as? LogError == .noSpace, "\(error) in place of noSpace")
      break
    }
    require(ids.count < 1000, "the limit isn't felt")
  }
  require(ids.count > 40, "only \(ids.count) appends")
  // Once more, also by a handle of its own.
  require(.noSpace, "again") { try append() }
  require(.noSpace, "another handle") { try opened.writer().append(id: "x", payload: [UInt8](repeating: 1, count: 1024)) }
  try checkEntries(opened, ids)
  setSizeLimit(16 << 20)
  for _ in 0..<100 { try append() }
  try checkEntries(opened, ids)
  emit("ok \(ids.count)")
}

private func setSizeLimit(_ byteCount: UInt64) {
  var limit = rlimit()
  require(unsafe getrlimit(__rlimit_resource_t(1), &limit) == 0, "no limit")  // RLIMIT_FSIZE
  limit.rlim_cur = rlim_t(byteCount)
  require(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0, "no new limit")
}

private func checkEntries(_ opened: ProcessHandles.Opened, _ ids: [String]) throws {
  let reader = try opened.reader()
  var found: [String] = []
  try reader.forEachPending { entry in
    require(entry.payload == ProcessHandles.payload(of: entry.id, byteCount: 1024), "another payload")
    found.append(entry.id)
  }
  require(found.sorted() == ids.sorted(), "\(found.count) entries in place of \(ids.count)")
  require(try reader.damage().isEmpty, "damage")
}
