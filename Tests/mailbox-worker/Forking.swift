import Foundation
import MailboxLog
import TestSupport

/// `forks DIR`: what a forked child can't do, and what its life and death don't do to the parent.
func forks(_ arguments: Arguments) throws {
  let segment = arguments[0] + "/00000001.segment"
  let opened = try arguments.handles().opened()
  let writer = try opened.writer()
  let reader = try opened.reader()
  try writer.append(id: "a", payload: ProcessHandles.payload(of: "a", byteCount: 100))
  require(ForkedChild { childUse(writer, reader) }.wait() == 0, "a child of an idle process")
  require(try ChildProcess("/bin/true").wait().isSuccess, "a spawned child")
  try writer.append(id: "b", payload: ProcessHandles.payload(of: "b", byteCount: 100))
  require(try !isLocked(segment), "locked while nobody appends")

  // In the middle of another thread's append.
  let held = HeldCall(at: opened.at) { try writer.append(id: "c", payload: ProcessHandles.payload(of: "c", byteCount: 100)) }
  require(try isLocked(segment), "a third process isn't excluded from an append")
  let code = ForkedChild { childUse(writer, reader) }.wait()
  require(code == 0, "a child in the middle of an append: \(code)")
  require(try isLocked(segment), "a child's end took the lock away")
  let own = ForkedChild { childOpens(arguments) }.wait()
  require(own == 0, "a child with a handle of its own: \(own)")
  let living = ForkedChild {
    sleep(30)
    return 0
  }
  held.finish()
  require(try !isLocked(segment), "locked while nobody appends, with a child alive")
  kill(living.identifier, SIGKILL)
  require(living.wait() == 128 + SIGKILL, "the child ended by itself")

  try writer.append(id: "d", payload: ProcessHandles.payload(of: "d", byteCount: 100))
  var ids: [String] = []
  var positions: [MailboxPosition] = []
  try reader.forEachPending { entry in
    ids.append(entry.id)
    positions.append(entry.position)
    if entry.id == "b" {
      // In the middle of an iteration.
      require(ForkedChild { childUse(writer, reader) }.wait() == 0, "a child in the middle of an iteration")
    }
  }
  require(ids.sorted() == ["a", "b", "c", "child", "d"], "\(ids)")
  require(Set(positions).count == 5, "positions twice")
  try reader.acknowledge(positions)
  require(try reader.pendingCount == 0 && reader.damage().isEmpty, "a rest")
  emit("ok")
}

/// In the child: 0 when each call throws what it should, and none waits.
private func childUse(_ writer: MailboxWriter, _ reader: MailboxReader) -> Int32 {
  let calls: [() throws -> Void] = [
    { try writer.append(id: "x", payload: [1]) }, { try writer.appendBatch { $0.append(id: "x", payload: [1]) } },
    { _ = try writer.contains(id: "a") }, { _ = try writer.pendingCount }, { _ = try writer.backlog() },
    { try writer.synchronize() }, { try writer.resume() }, { try reader.forEachPending { _ in } },
    { try reader.acknowledge([MailboxPosition(segment: MailboxSegmentID(high: 1, low: 1), sequence: 1)]) },
    { _ = try reader.pendingCount }, { _ = try reader.damage() }, { try reader.resume() },
  ]
  for (index, call) in calls.enumerated() {
    do {
      try call()
      return Int32(10 + index)
    } catch { if error as? LogError != .forkedHandle { return Int32(30 + index) } }
  }
  writer.suspend()
  reader.suspend()
  writer.close()
  reader.close()
  return 0
}

/// In the child: a handle of its own appends, in another segment where the parent holds one.
private func childOpens(_ arguments: Arguments) -> Int32 {
  do {
    let writer = try arguments.handles().opened().writer()
    try writer.append(id: "child", payload: ProcessHandles.payload(of: "child", byteCount: 100))
    writer.close()
    return 0
  } catch {
    emit("\(error)", to: 2)
    return 1
  }
}

/// `fork-hold DIR fork|spawn`: makes a child in the middle of an append, prints its id, and dies while the child lives.
func forkAndHold(_ arguments: Arguments) throws {
  let opened = try arguments.handles().opened()
  let writer = try opened.writer()
  try writer.append(id: "a", payload: ProcessHandles.payload(of: "a", byteCount: 100))
  let held = HeldCall(at: opened.at) { try writer.append(id: "b", payload: ProcessHandles.payload(of: "b", byteCount: 100)) }
  try held.dieWithChild(arguments[1])
}
