import Foundation
import MailboxLog
import TestSupport

/// `locks DIR`: after each public call no lock is owned by this process.
func locks(_ arguments: Arguments) throws {
  let handles = try arguments.handles()
  let opened = try handles.opened()
  let state = ProcessState()
  var calls = 0
  @discardableResult
  func after<R>(_ call: String, _ body: () throws -> R) rethrows -> R {
    let result = try body()
    let held = state.locks
    require(held.isEmpty, "after \(call): \(held)")
    calls += 1
    return result
  }
  for round in 0..<3 {
    let writer = try after("open") { try opened.writer() }
    let position = try after("append") { try writer.append(id: "a\(round)", payload: [1, 2, 3]) }
    try after("append fields") { _ = try writer.append(id: "f\(round)") { $0.set("n", 1) } }
    try after("append over") { try writer.append(id: "g\(round)", payload: [UInt8](repeating: 7, count: 300_000)) }
    let batch = try after("batch") {
      try writer.appendBatch { batch in for index in 0..<10 { batch.append(id: "b\(index)", payload: [1]) } }
    }
    try after("contains") { require(try writer.contains(id: "b3"), "b3 isn't there") }
    _ = try after("pendingCount") { try writer.pendingCount }
    _ = try after("backlog") { try writer.backlog() }
    try after("synchronize") { try writer.synchronize() }
    require(.recordTooLarge(byteCount: 17 << 20, limit: 16 << 20), "too large") {
      try writer.append(id: "x", payload: [UInt8](repeating: 0, count: 17 << 20 - 1))
    }
    after("an error") {}
    after("deadline") { require(.deadlineExceeded, "deadline") { try writer.append(id: "x", payload: [1], timeout: .zero) } }
    let reader = try after("open reader") { try opened.reader() }
    try after("iterate") {
      try reader.forEachPending(limit: 1) { _ in require(state.locks.isEmpty, "a lock inside of the iteration") }
    }
    _ = try after("reader's backlog") { (try reader.backlog(), try reader.pendingCount, try reader.damage()) }
    try after("acknowledge behind a gap") { try reader.acknowledge([batch[4]]) }
    try after("acknowledge") { try reader.acknowledge([position]) }
    var rest: [MailboxPosition] = []
    try reader.forEachPending { rest.append($0.position) }
    try after("acknowledge all") { try reader.acknowledge(rest) }
    after("suspend") { writer.suspend() }
    try after("resume") { try writer.resume() }
    after("suspend") { reader.suspend() }
    try after("resume") { try reader.resume() }
    try after("append after resume") { try writer.append(id: "z\(round)", payload: [1]) }
    after("close") { writer.close() }
    after("close") { reader.close() }
  }
  emit("ok \(calls)")
}

/// `suspend DIR`: threads append and iterate; whenever everything is suspended, no lock and no mapping of a segment is there within
/// 100 ms, and calls throw what they should.
func suspensions(_ arguments: Arguments) throws {
  let opened = try arguments.handles().opened()
  let writer = try opened.writer()
  let reader = try opened.reader()
  let work = Work(opened, writer, reader)
  for _ in 0..<2 {
    work.start { try $0.appendOne() }
    work.start { try $0.drainSome() }
  }
  let state = ProcessState()
  let canary = Canary()
  for round in 0..<arguments.count(1) {
    usleep(UInt32.random(in: 200...8000))
    let clock = ContinuousClock()
    let begin = clock.now
    canary.begin()
    if round % 2 == 0 { writer.suspend(); reader.suspend() } else { reader.suspend(); writer.suspend() }
    let took = clock.now - begin
    require(took < .milliseconds(250) || canary.isStarved, "suspending took \(took)")
    // It gave up at its bound: a disk that stalls holds a sync, and the sync what it syncs.
    let isStalled = took >= .milliseconds(95)
    while true {
      let held = state.locks + state.mappings(of: ".segment")
      if held.isEmpty { break }
      let limit: Duration = isStalled || canary.isStarved ? .seconds(20) : .milliseconds(250)
      require(clock.now - begin < limit, "round \(round), \(clock.now - begin) after the suspension: \(held)")
      usleep(200)
    }
    // And nothing comes back.
    usleep(3000)
    let held = state.locks + state.mappings(of: ".segment")
    require(held.isEmpty || isStalled || canary.isStarved, "round \(round), later: \(held)")
    require(.suspended, "append") { try writer.append(id: "x", payload: [1]) }
    require(.suspended, "iterate") { try reader.forEachPending { _ in } }
    try writer.resume()
    try reader.resume()
  }
  writer.close()
  reader.close()
  usleep(100_000)
  let held = state.locks + state.mappings(of: ".segment")
  require(held.isEmpty, "after closing: \(held)")
  require(.closed, "append") { try writer.append(id: "x", payload: [1]) }
  require(.closed, "acknowledge") { try reader.acknowledge([]) }
  require(.closed, "resume") { try writer.resume() }
  try work.finish()
}

/// A thread that wants to run every millisecond: when it can't, neither can one that would let go of something.
final class Canary: @unchecked Sendable {
  private let lock = NSLock()
  private var last = ContinuousClock.now
  private var longest = Duration.zero

  init() {
    Thread { [weak self] in
      while let self {
        self.note()
        usleep(1000)
      }
    }.start()
  }
  private func note() {
    lock.withLock {
      let now = ContinuousClock.now
      longest = max(longest, now - last)
      last = now
    }
  }
  func begin() { lock.withLock { longest = .zero } }
  /// Whether it has waited for 15 ms since `begin`, or is still waiting.
  var isStarved: Bool { lock.withLock { max(longest, ContinuousClock.now - last) > .milliseconds(15) } }
}
