import Foundation
import MailboxListening
import MailboxLog
import TestSupport

/// `locks PATH`: no lock of this process is left when a call has returned.
func locks(_ arguments: Arguments) throws {
  let opened = try arguments.opened()
  let state = ProcessState()
  func check(_ what: String) { require(state.locks.isEmpty, "after \(what): \(state.locks)") }
  let log = try opened.log()
  check("opening")
  let calls: [(String, () throws -> Void)] = [
    ("set", { try log.set(1, forKey: "a") }), ("set again", { try log.set(2, forKey: "a") }),
    ("get", { _ = try log.int(forKey: "a") }),
    ("update", { try log.update { $0.set(1, forKey: "b") } }),
    ("compareAndSet", { try log.compareAndSet("a", expected: 2, to: 3) }),
    ("forEach", { try log.forEach { _ in require(state.locks.isEmpty, "in an iteration: \(state.locks)") } }),
    ("removeValue", { try log.removeValue(forKey: "a") }), ("compact", { try log.compact() }),
    ("synchronize", { try log.synchronize() }),
    ("backup", { try log.backup(to: log.path + "-copy") }),
    ("restore", { try KeyValueLog.restore(from: log.path + "-copy", to: log.path) }),
    ("rekey", { try log.rekey(to: .random()) }), ("statistics", { _ = try log.statistics() }), ("verify", { _ = try log.verify() }),
    ("changes", { _ = log.changes() }), ("removeAll", { try log.removeAll() }),
    ("a refused set", { require((try? log.set(1, forKey: "")) == nil, "an empty key") }),
  ]
  for (what, call) in calls {
    try call()
    check(what)
  }
  emit("ok")
}

/// `size-limit PATH`: sets under a limit on the size of files, and after it.
func sizeLimit(_ arguments: Arguments) throws {
  signal(SIGXFSZ, SIG_IGN)
  let log = try arguments.opened().log()
  func limit(_ byteCount: rlim_t) {
    var limits = rlimit()
    unsafe _ = getrlimit(__rlimit_resource_t(1), &limits)  // RLIMIT_FSIZE
    limits.rlim_cur = byteCount
    unsafe _ = setrlimit(__rlimit_resource_t(1), &limits)
  }
  limit(64 << 10)
  var count = 0
  while count < 1_000 {
    guard try hasRoom({ try log.set([UInt8](repeating: 9, count: 1_024), forKey: "k\(count)") }) else { break }
    count += 1
  }
  require(count > 20 && count < 64, "\(count) values")
  // It may fit.
  _ = try hasRoom { try log.compact() }
  for number in 0..<count { require(try log.bytes(forKey: "k\(number)")?.count == 1_024, "k\(number) is gone") }
  limit(.max)
  try log.set([UInt8](repeating: 9, count: 100_000), forKey: "later")
  require(try log.count == count + 1 && log.verify().isEmpty, "not whole")
  emit("ok")
}

/// - Returns: false when the body throws `noSpace`.
private func hasRoom(_ body: () throws -> Void) throws -> Bool {
  do { try body() } catch {
    guard error as? LogError == .noSpace else { throw error }
    return false
  }
  return true
}

/// `open-set-close PATH N`: prints resident size, descriptors and mappings after 100 rounds and after all.
func openSetClose(_ arguments: Arguments) throws {
  let opened = try arguments.opened()
  let state = ProcessState()
  for round in 1...arguments.count(1) {
    let log = try opened.log()
    try log.set(round, forKey: "n\(round % 50)")
    require(try log.int(forKey: "n\(round % 50)") == round, "not what was set")
    log.close()
    // Looking costs memory the first time.
    if round == 99 { _ = (state.status("VmRSS"), state.descriptorCount, state.mappings().count) }
    if round == 100 || round == arguments.count(1) {
      emit("\(state.status("VmRSS")) \(state.descriptorCount) \(state.mappings().count)")
    }
  }
}

/// `listen PATH`: prints each change. At a line on standard input it prints the processor time of the last two seconds.
func listen(_ arguments: Arguments) async throws {
  let log = try arguments.opened().log()
  Thread {
    while readLine() != nil {
      let before = ProcessState.processorSeconds
      sleep(2)
      emit("idle \(Int((ProcessState.processorSeconds - before) * 1e6))")
    }
    log.close()
  }.start()
  let changes = log.changes()
  emit("ready")
  for try await change in changes { emit("got \(change.isRemoval ? "-" : "+")\(change.key)") }
  emit("ended")
}

/// `memory PATH idle|set|get`: opens, sets or gets one value and closes, or does nothing; prints microseconds and VmHWM in KiB.
func memory(_ arguments: Arguments) throws {
  let addressSpace = arguments.number("--address-space", default: 0)
  if addressSpace > 0 {
    var limit = rlimit(rlim_cur: rlim_t(addressSpace), rlim_max: rlim_t(addressSpace))
    require(unsafe setrlimit(__rlimit_resource_t(9), &limit) == 0, "no limit on the address space")  // RLIMIT_AS
  }
  var duration = Duration.zero
  if arguments[1] != "idle" {
    let opened = try arguments.opened()
    duration = try ContinuousClock().measure {
      let log = try opened.log()
      if arguments[1] == "set" {
        try log.set([UInt8](repeating: 7, count: 100), forKey: "measured")
      } else {
        require(try log.bytes(forKey: "n7")?.count == 100, "not what was set")
      }
      log.close()
    }
  }
  emit("\(duration.components.attoseconds / 1_000_000_000_000) \(ProcessState().status("VmHWM"))")
}

/// `modes PATH UMASK`: makes a log, writes, compacts, rekeys, backs up and restores, under this umask.
func modes(_ arguments: Arguments) throws {
  umask(mode_t(arguments[1], radix: 8)!)
  let opened = try arguments.opened()
  for round in 0..<4 {
    let log = try opened.log()
    for number in 0..<40 { try log.set([UInt8](repeating: 1, count: 20_000), forKey: "n\(number % 3)") }
    try log.compact()
    let copy = opened.path + "-copy\(round)"
    try log.backup(to: copy)
    try log.backup(to: copy)
    try log.rekey(to: try arguments.keys[round % 2])
    log.close()
    try KeyValueLog.restore(from: copy, to: opened.path)
  }
  emit("ok")
}
