import Foundation
import MailboxLog
import TestSupport

/// `storm PATH PREFIX COUNT`: two threads of one handle set and get keys of their own and add to a common number; with `--fork` children come and go
/// meanwhile, whose use of the handle is refused.
func storm(_ arguments: Arguments) throws {
  let log = try arguments.opened().log()
  let count = arguments.count(2)
  // A child has no other thread that could give back a lock of the runtime's: what it will use is used here before.
  let closed = try arguments.opened().log()
  closed.close()
  require(refusal(of: closed, with: .closed) == 0, "calls of a closed handle")
  let group = DispatchGroup()
  for thread in 0..<2 {
    group.enter()
    Thread {
      do {
        for number in 1...count {
          let name = "\(arguments[1])-\(thread)-\(number % 20)"
          try log.set(LogValues.text(number), forKey: name)
          require(try log.string(forKey: name) == LogValues.text(number), "\(name) isn't what was set")
          if number % 10 == 0 {
            while true {
              let seen = try log.int(forKey: "sum") ?? 0
              if try log.compareAndSet("sum", expected: seen == 0 ? nil : seen, to: seen + 10) { break }
            }
          }
          // Of another thread, or of another process: whole, or not there.
          if let text = try log.string(forKey: "\(arguments[1])-\(1 - thread)-\(number % 20)") {
            require(LogValues.number(text) != nil, "a mixture: \(text)")
          }
        }
      } catch { stop("in a thread: \(error)") }
      group.leave()
    }.start()
  }
  var forkCount = 0
  while arguments.has("--fork"), group.wait(timeout: .now() + .milliseconds(3)) == .timedOut {
    let code = ForkedChild { refusal(of: log, with: .forkedHandle) }.wait()
    require(code == 0, "a child left with \(code)")
    forkCount += 1
  }
  group.wait()
  emit("forks \(forkCount)")
}

/// 0 when each call throws what it should, and none waits.
func refusal(of log: KeyValueLog, with expected: LogError) -> Int32 {
  let calls: [() throws -> Void] = [
    { try log.set(1, forKey: "child") }, { try log.removeValue(forKey: "child") }, { try log.removeAll() },
    { try log.update { $0.set(1, forKey: "child") } }, { _ = try log.compareAndSet("child", expected: nil, to: 1) },
    { _ = try log.int(forKey: "sum") }, { _ = try log.contains("sum") }, { _ = try log.keys() }, { _ = try log.count },
    { try log.withBytes(forKey: "sum") { _ in } }, { try log.compact() }, { try log.synchronize() }, { try log.rekey(to: nil) },
    { try log.backup(to: log.path + "-child") }, { _ = try log.statistics() }, { _ = try log.verify() }, { try log.resume() },
  ]
  for (index, call) in calls.enumerated() {
    do {
      try call()
      return Int32(10 + index)
    } catch { if error as? LogError != expected { return Int32(40 + index) } }
  }
  log.suspend()
  log.close()
  return 0
}

/// `suspend PATH`: suspensions in the middle of threads that write and read.
func suspensions(_ arguments: Arguments) throws {
  let log = try arguments.opened().log()
  let flag = Flag()
  let group = DispatchGroup()
  for thread in 0..<2 {
    group.enter()
    Thread {
      var number = 0
      while !flag.isSet {
        do {
          if thread == 0 {
            number += 1
            try log.set(LogValues.text(number), forKey: "k\(number % 1_000)")
          } else {
            try log.forEach { entry in require(entry.byteCount > 0, "an empty value") }
          }
        } catch {
          require(error as? LogError == .suspended, "in a thread: \(error)")
          usleep(50)
        }
      }
      group.leave()
    }.start()
  }
  let state = ProcessState()
  var slowest = Duration.zero
  for _ in 0..<30 {
    usleep(UInt32.random(in: 0...20_000))
    let duration = ContinuousClock().measure { log.suspend() }
    slowest = max(slowest, duration)
    require(state.locks.isEmpty, "a lock is held after the suspension: \(state.locks)")
    do {
      _ = try log.int(forKey: "k1")
      stop("a call of a suspended handle")
    } catch { require(error == .suspended, "\(error)") }
    try log.resume()
  }
  flag.set()
  group.wait()
  log.close()
  require(state.mappings(of: arguments[0]).isEmpty, "mapped after the end")
  emit("slowest \(slowest.components.attoseconds / 1_000_000_000_000)")
}

private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
