import Foundation
import MailboxLog
import TestSupport

/// `forks PATH`: what a forked child can't do, and what its life and death don't do to the parent.
func forks(_ arguments: Arguments) throws {
  let opened = try arguments.opened()
  let (log, path) = (try opened.log(), opened.path)
  // A child has no other thread that could give back a lock of the runtime's: what it will use is used here before.
  let closed = try opened.log()
  closed.close()
  require(refusal(of: closed, with: .closed) == 0, "calls of a closed handle")
  try log.set("before", forKey: "a")
  require(ForkedChild { refusal(of: log, with: .forkedHandle) }.wait() == 0, "a child of an idle process")
  require(try ChildProcess("/bin/true").wait().isSuccess, "a spawned child")
  try log.set("after", forKey: "b")
  require(try log.string(forKey: "a") == "before" && log.string(forKey: "b") == "after", "not what was set")
  require(try !isLocked(path), "locked while nobody writes")

  // In the middle of another thread's write.
  let held = HeldCall(at: opened.at) { try log.set("held", forKey: "c") }
  require(try isLocked(path), "a third process isn't excluded from a write")
  let code = ForkedChild { refusal(of: log, with: .forkedHandle) }.wait()
  require(code == 0, "a child in the middle of a write: \(code)")
  require(try isLocked(path), "a child's end took the lock away")
  require(ForkedChild { childReads(arguments) }.wait() == 0, "a child with a handle of its own")
  require(try isLocked(path), "another handle's end took the lock away")
  let living = ForkedChild {
    sleep(30)
    return 0
  }
  held.finish()
  require(try !isLocked(path), "locked while nobody writes, with a child alive")
  kill(living.identifier, SIGKILL)
  require(living.wait() == 128 + SIGKILL, "the child ended by itself")

  // In the middle of an iteration.
  try log.forEach { entry in
    require(ForkedChild { refusal(of: log, with: .forkedHandle) }.wait() == 0, "a child in the middle of an iteration")
  }
  try log.set("late", forKey: "d")
  let keys = try log.keys().sorted()
  require(keys == ["a", "b", "c", "d"], "\(keys)")
  require(try log.verify().isEmpty, "damage")
  emit("ok")
}

/// In the child: a handle of its own reads, whoever has the lock.
private func childReads(_ arguments: Arguments) -> Int32 {
  do {
    let log = try arguments.opened().log()
    let isRight = try log.string(forKey: "b") == "after"
    log.close()
    return isRight ? 0 : 1
  } catch { return 2 }
}

/// `fork-hold PATH fork|spawn`: makes a child in the middle of a write, prints its id, and dies while the child lives.
func forkAndHold(_ arguments: Arguments) throws {
  let opened = try arguments.opened()
  let log = try opened.log()
  try log.set("before", forKey: "a")
  let held = HeldCall(at: opened.at) { try log.set("held", forKey: "b") }
  try held.dieWithChild(arguments[1])
}
