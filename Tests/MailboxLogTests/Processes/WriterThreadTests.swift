#if DEBUG
  import Foundation
  import MailboxLog
  import TestSupport
  import Testing

  @Suite struct WriterThreadTests {
    /// The second call finds nothing left to sync, and may say so only once the first is through.
    @Test("A synchronize that runs beside another returns after it")
    func synchronizeWaitsForAnother() throws {
      let place = TemporaryDirectory()
      var handles = ProcessHandles(directory: place.path(of: "inbox.mailbox"))
      handles.options.durability = .processCrash
      let opened = try handles.opened()
      let writer = try opened.writer()
      try writer.append(id: "a", payload: [1])
      let (isThere, mayGo, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isKnown = opened.system.at("recordSynced", ordinal: 1) {
        isThere.signal()
        mayGo.wait()
      }
      #expect(isKnown)
      for _ in 0..<2 {
        Thread {
          do { try writer.synchronize() } catch { Issue.record("\(error)") }
          isDone.signal()
        }.start()
      }
      isThere.wait()
      #expect(isDone.wait(timeout: .now() + 0.1) == .timedOut)
      mayGo.signal()
      isDone.wait()
      isDone.wait()
    }
  }
#endif
