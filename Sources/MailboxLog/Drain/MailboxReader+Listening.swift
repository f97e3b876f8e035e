import RawMemory
package import StorageIO

/// What an iteration over arrivals needs. It is a module of its own, so that a helper doesn't carry the concurrency runtime, whose
/// mere presence costs it 0.6 MB.
extension MailboxReader {
  /// Where a segment ends, as a listener sees it.
  package struct ListenedEnd: Sendable {
    package let segment: MailboxSegmentID
    package let committedEnd: UInt64
    package let isPending: Bool
  }

  /// Asks the next append of each segment to ring, and returns where each ends. What is appended after that rings.
  package func listen() throws(LogError) -> [ListenedEnd] {
    var ends: [ListenedEnd] = []
    for segment in try drain.segments() {
      let end = try at(segment.file.path) { () throws(SystemError) in
        // Registered first, looked at afterwards: an append in between is seen, one after it rings.
        if !isReadOnly { try segment.words.awaitRing() }
        let bounds = try segment.bounds()
        return ListenedEnd(
          segment: segment.identifier, committedEnd: bounds.committedEnd, isPending: bounds.committedEnd > bounds.consumedEnd)
      }
      ends.append(end)
    }
    return ends
  }

  package var isReadOnly: Bool { drain.context.options.access == .readOnly }
  package var isClosed: Bool { drain.handle.isClosed }
  package var system: SystemCalls { drain.context.system }

  /// Has `wake` called after a close and after a resumption, until it is removed.
  package func addWaker(_ wake: @escaping @Sendable () -> Void) -> Int { drain.wakers.add(wake) }
  package func removeWaker(_ number: Int) { drain.wakers.remove(number) }
}
