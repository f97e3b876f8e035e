import Foundation
import MailboxLog
import TestSupport

/// Threads that use one writer and one reader, and what they did.
final class Work: @unchecked Sendable {
  let opened: ProcessHandles.Opened
  let writer: MailboxWriter
  let reader: MailboxReader
  private let lock = NSLock()
  private let group = DispatchGroup()
  private var isEnding = false
  private var appended: [String] = []
  private var drained: [String: MailboxPosition] = [:]

  init(_ opened: ProcessHandles.Opened, _ writer: MailboxWriter, _ reader: MailboxReader) {
    self.opened = opened
    self.writer = writer
    self.reader = reader
  }

  /// Calls the step again and again; `suspended` and `closed` are waited out.
  func start(_ step: @escaping @Sendable (Work) throws -> Void) {
    group.enter()
    Thread {
      while !self.lock.withLock({ self.isEnding }) {
        do { try step(self) } catch {
          switch error as? LogError {
          case .suspended, .closed: usleep(100)
          default: stop("in a thread: \(error)")
          }
        }
      }
      self.group.leave()
    }.start()
  }

  func appendOne() throws {
    let id = UUID().uuidString
    try writer.append(id: id, payload: ProcessHandles.payload(of: id, byteCount: 300))
    lock.withLock { appended.append(id) }
  }

  func drainSome() throws {
    var positions: [MailboxPosition] = []
    try reader.forEachPending(limit: 50) { entry in
      positions.append(entry.position)
      note(entry.id, entry.position)
    }
    if positions.isEmpty { usleep(500) }
    try reader.acknowledge(positions)
  }

  /// Two readers may see an entry at once; it has one position all the same.
  private func note(_ id: String, _ position: MailboxPosition) {
    lock.withLock {
      if let known = drained[id] { require(known == position, "\(id) is there twice") }
      drained[id] = position
    }
  }

  /// Ends the threads, drains the rest by a handle of its own, and checks that nothing is lost.
  func finish() throws {
    lock.withLock { isEnding = true }
    group.wait()
    let last = try opened.reader()
    var rest: [MailboxPosition] = []
    try last.forEachPending { entry in
      rest.append(entry.position)
      note(entry.id, entry.position)
    }
    try last.acknowledge(rest)
    require(try last.damage().isEmpty && last.pendingCount == 0, "damage, or a rest")
    let lost = appended.filter { drained[$0] == nil }
    require(lost.isEmpty, "\(lost.count) of \(appended.count) are lost")
    require(Set(drained.values).count == drained.count, "two entries with one position")
    emit("ok \(appended.count)")
  }
}

/// `storm DIR PREFIX COUNT`: two threads of one writer append, printed as by `append`; with `--fork` children come and go meanwhile.
func storm(_ arguments: Arguments) throws {
  let writer = try arguments.handles().opened().writer()
  let count = arguments.count(2)
  let group = DispatchGroup()
  for thread in 0..<2 {
    group.enter()
    Thread {
      for index in 0..<count {
        let id = "\(arguments[1])-\(thread)-\(index)"
        do {
          let position = try writer.append(id: id, payload: ProcessHandles.payload(of: id, byteCount: 100 + index % 3000))
          emit("\(id) \(ProcessHandles.text(position))")
        } catch { stop("append: \(error)") }
      }
      group.leave()
    }.start()
  }
  var forkCount = 0
  while arguments.has("--fork"), group.wait(timeout: .now() + .milliseconds(3)) == .timedOut {
    let child = ForkedChild {
      do {
        try writer.append(id: "from a child", payload: [1])
        return 3
      } catch { return error as? LogError == .forkedHandle ? 0 : 4 }
    }
    let code = child.wait()
    require(code == 0, "a child left with \(code)")
    forkCount += 1
  }
  group.wait()
  emit("forks \(forkCount)")
}
