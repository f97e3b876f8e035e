#if DEBUG
  import Foundation
  import MailboxLog
  import TestSupport
  import Testing

  /// Two threads of one reader share a segment's descriptor, which `flock` takes for one owner.
  @Suite(.serialized) struct ReaderThreadTests {
    private let place = TemporaryDirectory()
    private var path: String { place.path(of: "inbox.mailbox") }

    /// One thread is held before it unlinks; the other would unlink, too, and then the first the name of a new segment.
    @Test("Two threads that acknowledge the last entry at once don't remove a segment that came after")
    func noSegmentIsRemovedForAnother() throws {
      var handles = ProcessHandles(directory: path)
      handles.options.lockTimeout = .milliseconds(200)
      let opened = try handles.opened()
      let writer = try ProcessHandles(directory: path).opened().writer()
      let position = try writer.append(id: "first", payload: [1])
      let reader = try opened.reader()
      let (isAcknowledged, mayRemove) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let (isErasing, mayUnlink) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let group = DispatchGroup()
      #expect(
        opened.system.at("acknowledged", ordinal: 1) {
          isAcknowledged.signal()
          mayRemove.wait()
        }
          && opened.system.at("saltOverwritten", ordinal: 1) {
            isErasing.signal()
            mayUnlink.wait()
          })
      func acknowledge() {
        group.enter()
        Thread {
          do { try reader.acknowledge([position]) } catch { Issue.record("\(error)") }
          group.leave()
        }.start()
      }
      acknowledge()
      isAcknowledged.wait()
      acknowledge()
      isErasing.wait()
      mayRemove.signal()
      // The first thread has time to do what it shouldn't.
      usleep(300_000)
      try writer.append(id: "second", payload: [2])
      mayUnlink.signal()
      group.wait()
      var ids: [String] = []
      try ProcessHandles(directory: path).opened().reader().forEachPending { ids.append($0.id) }
      #expect(ids == ["second"])
    }

    @Test("Threads that drain with one reader while another process appends lose nothing", arguments: [[], ["--unmapped"]])
    func threadsOfOneReader(options: [String]) throws {
      let mailbox = MailboxUnderTest()
      let writers = try ["x", "y"].map {
        try mailbox.start("append", [$0, "0"], options + ["--unsynced", "--reopen", "20"])
      }
      let reader = try mailbox.reader()
      let drained = Collected()
      let group = DispatchGroup()
      let end = Date(timeIntervalSinceNow: MailboxUnderTest.isLong ? 60 : 2)
      for _ in 0..<4 {
        group.enter()
        Thread {
          while Date() < end {
            do {
              var positions: [MailboxPosition] = []
              try reader.forEachPending(limit: 3) { entry in
                positions.append(entry.position)
                drained.add(entry.id, ProcessHandles.text(entry.position))
              }
              try reader.acknowledge(positions)
            } catch { Issue.record("\(error)") }
          }
          group.leave()
        }.start()
      }
      while Date() < end {
        for writer in writers { writer.kill(Bool.random() ? SIGSTOP : SIGCONT) }
        usleep(3000)
      }
      group.wait()
      var acknowledged = Acknowledged()
      for writer in writers {
        writer.kill()
        acknowledged.add(writer.wait().output)
      }
      try reader.forEachPending { drained.add($0.id, ProcessHandles.text($0.position)) }
      let lost = acknowledged.positions.filter { drained.positions[$0.key] != String($0.value) }
      #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.positions.count) are lost")
      #expect(try reader.damage().isEmpty)
      #expect(NonceUse(ledger: mailbox.noncePath).repeated == 0)
    }
  }

  private final class Collected: @unchecked Sendable {
    private let lock = NSLock()
    private var byID: [String: String] = [:]
    func add(_ id: String, _ position: String) { lock.withLock { byID[id] = position } }
    var positions: [String: String] { lock.withLock { byID } }
  }
#endif
