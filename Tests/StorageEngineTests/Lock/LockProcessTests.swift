import CForkSupport
import CSystem
import Foundation
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// Real processes that share a lock file, and die.
@Suite(.serialized) struct LockProcessTests {
  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "a.store.lock") }

  private func open() throws -> LockFile {
    try LockFile.open(
      .live, path: path, fileID: 7, mode: 0o600, deadline: Deadline(after: .seconds(10), .live),
      newest: { () throws(EngineError) in (published: 1, durable: 1, newestSeen: 1) })
  }
  private func worker(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess("storage-worker", ["lock", arguments[0], path] + arguments.dropFirst(), input: nil)
  }
  private func pinning(_ arguments: String...) throws -> ChildProcess {
    let child = try ChildProcess("storage-worker", ["lock", "pin", path] + arguments, input: nil)
    #expect(child.waitForOutput("pinned"))
    return child
  }

  @Test func slotsOfKilledChildrenAreReclaimed() throws {
    let file = try open()
    var children: [ChildProcess] = []
    for _ in 0..<4 {
      children.append(try pinning("100"))
      file.publish(file.takeTransactionID())
    }
    #expect(try versions(file).count == 400)
    for child in children.prefix(3) {
      child.kill()
      child.wait()
    }
    let pins = try file.pinned(reclaimingDead: true)
    #expect(pins.count == 100 && pins.allSatisfy { $0.process == children[3].identifier && !$0.isSelf })
    children[3].closeInput()
    #expect(children[3].wait().isSuccess)
    #expect(try versions(file) == [])
  }

  /// Killed, and nobody has waited for it.
  @Test func aZombiePinsNothing() throws {
    let file = try open()
    let child = try pinning()
    file.publish(file.takeTransactionID())
    child.kill()
    var information = unsafe siginfo_t()
    #expect(unsafe waitid(P_PID, id_t(child.identifier), &information, WEXITED | WNOWAIT) == 0)
    #expect(try versions(file) == [])
  }

  @Test func aStoppedProcessKeepsItsPinsAndHoldsNobodyUp() throws {
    let file = try open()
    let child = try pinning()
    file.publish(file.takeTransactionID())
    child.kill(SIGSTOP)
    #expect(try versions(file) == [1])
    let slots = try (0..<300).map { _ in try file.registerPublished() }
    _ = try open()
    for slot in slots { file.unregister(slot) }
    child.kill()
    child.wait()
    #expect(try versions(file) == [])
  }

  /// Readers that pin and let go as fast as they can, a writer that publishes as fast as it can, and SIGKILL for any of them.
  @Test func noVersionIsLostUnderAReader() throws {
    let file = try open()
    for round in 0..<6 {
      var readers = try (0..<3).map { _ in try worker("read") }
      let writer = try worker("write")
      usleep(useconds_t(50_000 + 20_000 * round))
      let victim = readers.removeFirst()
      victim.kill()
      if round % 2 == 0 { writer.kill() } else { writer.closeInput() }
      for reader in readers { reader.closeInput() }
      for reader in readers {
        let outcome = reader.wait(timeout: .seconds(20))
        #expect(outcome.isSuccess && outcome.output.contains(" lost 0"), "\(outcome.output)\(outcome.errorOutput)")
      }
      victim.wait()
      #expect(round % 2 == 0 || writer.wait(timeout: .seconds(20)).output.contains("wrote"))
      if round % 2 == 0 { writer.wait() }
    }
    file.publish(file.takeTransactionID())
    #expect(try versions(file) == [])
    // No kill has cost a slot: the file is as it was made.
    #expect(place.contents("a.store.lock")?.count == LockLayout.chunkByteCountMin)
    #expect(litter(in: place.path) == [])
  }

  @Test func manyProcessesOpenAtOnce() throws {
    let children = try (0..<12).map { _ in try worker("pin") }
    for child in children { #expect(child.waitForOutput("pinned 1")) }
    let file = try open()
    #expect(try versions(file) == [UInt64](repeating: 1, count: 12))
    for child in children {
      child.closeInput()
      #expect(child.wait().isSuccess)
    }
    #expect(try versions(file) == [] && litter(in: place.path) == [])
  }

  @Test func aProgramThatReplacesItselfPinsNothing() throws {
    let file = try open()
    let child = try worker("exec")
    let outcome = child.wait()
    #expect(outcome.output == "pinned 1\nlooked\n" || outcome.output == "pinned 1\npin 1 self false\nlooked\n")
    // What the first image pinned is of the published version, which nobody is asked about.
    file.publish(file.takeTransactionID())
    #expect(try versions(file) == [])
  }

  /// A child has its parent's handle and none of its slots: its end gives nothing back.
  @Test func aForkedChildLeavesItsParentsSlots() async {
    await #expect(processExitsWith: .success) {
      let place = TemporaryDirectory()
      func open() throws -> LockFile {
        try LockFile.open(
          .live, path: place.path(of: "a.store.lock"), fileID: 7, mode: 0o600, deadline: Deadline(after: .seconds(10), .live),
          newest: { () throws(EngineError) in (published: 1, durable: 1, newestSeen: 1) })
      }
      let file = try open()
      unsafe ForkedHandle.file = file
      unsafe ForkedHandle.slot = try file.registerPublished()
      file.unregister(try file.registerPublished())
      unsafe ForkedHandle.path = place.path(of: "a.store.lock")
      let child = unsafe anteroom_fork_and(useInChild, nil)
      #expect(anteroom_wait(child) == 0)
      #expect(try file.pinned(reclaimingDead: false).map(\.isSelf) == [true])
      let next = try file.registerPublished()
      #expect(try versions(file) == [1, 1])
      file.unregister(next)
    }
  }
}

private enum ForkedHandle {
  nonisolated(unsafe) static var file: LockFile?
  nonisolated(unsafe) static var slot: LockFile.Slot?
  nonisolated(unsafe) static var path = ""
}

private func useInChild(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let file = unsafe ForkedHandle.file, let slot = unsafe ForkedHandle.slot else { return 1 }
  if (try? file.registerPublished()) != nil { return 2 }
  file.unregister(slot)
  unsafe ForkedHandle.file = nil
  // One of its own, as somebody else.
  let own = try? LockFile.open(
    .live, path: unsafe ForkedHandle.path, fileID: 7, mode: 0o600, deadline: .never,
    newest: { () throws(EngineError) in (published: 9, durable: 9, newestSeen: 9) })
  guard let own, let pin = try? own.registerPublished(), let pins = try? own.pinned(reclaimingDead: true) else { return 3 }
  if pins.count != 2 || pins.count(where: \.isSelf) != 1 { return 4 }
  own.unregister(pin)
  return 0
}
