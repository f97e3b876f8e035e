import Dispatch
import RawMemory
import Synchronization

extension EngineTransaction {
  /// Writes pages, in the order of their numbers, neighbours together.
  func write(_ pages: [DirtyPage], didWrite: (PageNumber, UInt32) -> Void) throws(EngineError) {
    try engine.ensureAllocated(pageCount: pageCount, base: base)
    let perOutput = engine.output.count / geometry.pageByteCount
    for start in stride(from: 0, to: pages.count, by: perOutput) {
      let some = pages[start..<min(start + perOutput, pages.count)]
      for (page, checksum) in zip(some, finish(some)) { didWrite(page.number, checksum) }
      try writeOutput(some)
    }
  }

  /// The output's pages, each run of neighbours in one call.
  private func writeOutput(_ pages: ArraySlice<DirtyPage>) throws(EngineError) {
    let byteCount = geometry.pageByteCount
    var index = pages.startIndex
    while index < pages.endIndex {
      let first = pages[index].number
      var count = 1
      while index + count < pages.endIndex, pages[index + count].number == first + PageNumber(count) { count += 1 }
      let start = (index - pages.startIndex) * byteCount
      try self.pages.write(engine.output, start..<start + count * byteCount, at: first)
      index += count
    }
  }

  /// Makes the stored forms of pages, one behind the other in the output. - Returns: the checksum of each.
  ///
  /// Sealing is most of a large commit's own work, so two threads share it. No system call is made meanwhile: those keep their order.
  private func finish(_ pages: ArraySlice<DirtyPage>) -> [UInt32] {
    let work = Finishing(pages: pages, file: self.pages, output: engine.output, birth: id)
    if self.pages.cipher == nil || pages.count < Self.sharedCountMin { return work.finish(pages.indices) }
    let parts = [pages.indices.prefix(pages.count / 2), pages.indices.dropFirst(pages.count / 2)]
    let halves = Mutex<[[UInt32]]>([[], []])
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      let checksums = work.finish(parts[half])
      halves.withLock { $0[half] = checksums }
    }
    return halves.withLock { $0[0] + $0[1] }
  }

  /// Fewer pages are sealed sooner than another thread is awake.
  private static var sharedCountMin: Int { 12 }
}

/// Pages on their way to the output. Each range is one thread's: nothing else reads or writes its pages and its part of the output.
private struct Finishing: @unchecked Sendable {
  let pages: ArraySlice<DirtyPage>
  let file: PageFile
  let output: ByteBuffer
  let birth: TransactionID

  func finish(_ range: Range<Int>) -> [UInt32] {
    let byteCount = file.geometry.pageByteCount
    return range.map { index in
      let start = (index - pages.startIndex) * byteCount
      output.copy(from: pages[index].buffer, 0..<byteCount, at: start)
      return file.finish(pages[index].number, birth: birth, in: output, at: start)
    }
  }
}
