import RawMemory
import StorageIO

/// Long values in runs of contiguous pages. A plain run has one header and one checksum, so that the value is read where it lies; in a
/// sealed one every page has its own, and the value is put together from them.
extension PageFile {
  func longValue(_ reference: LongReference) throws(EngineError) -> ByteView {
    guard reference.byteCount <= PageLayout.valueByteCountMax else { throw corrupted(reference.page, "a value without bounds") }
    return try geometry.isSealed ? sealedRun(reference) : plainRun(reference)
  }

  private func plainRun(_ reference: LongReference) throws(EngineError) -> ByteView {
    let (number, birth) = (reference.page, reference.birth)
    let byteCount = geometry.runPageCount(reference.byteCount) * geometry.pageByteCount
    let mapped = try mappedRun(number, byteCount)
    let run = if let mapped { mapped } else { try copiedRun(number, byteCount) }
    if !checked.contains(number, birth) {
      try checkPlainRun(run, reference)
      checked.insert(number, birth)
    }
    let start = geometry.envelopeByteCount + PageLayout.longData
    return run.slice(start..<start + reference.byteCount)
  }

  private func copiedRun(_ number: PageNumber, _ byteCount: Int) throws(EngineError) -> ByteView {
    let buffer = ByteBuffer(count: byteCount)
    try readStored(number, into: buffer, 0..<byteCount)
    return buffer.view
  }

  private func checkPlainRun(_ run: ByteView, _ reference: LongReference) throws(EngineError) {
    let (number, birth) = (reference.page, reference.birth)
    let header = geometry.envelopeByteCount
    let found = run.load(UInt64.self, at: header + PageLayout.birth)
    if found != birth { throw mismatch(number, birth, found, "a value that another transaction wrote") }
    guard run.load(UInt32.self, at: PageLayout.plainChecksum) == plainChecksum(run, number) else {
      throw corrupted(number, "the checksum of a long value doesn't fit")
    }
    guard run.load(UInt8.self, at: header + PageLayout.kind) == PageKind.longValue.rawValue,
      run.load(UInt32.self, at: header + PageLayout.longByteCount) == UInt32(reference.byteCount),
      run.load(UInt32.self, at: header + PageLayout.page) == number
    else { throw corrupted(number, "it isn't the long value that it should be") }
  }

  private func sealedRun(_ reference: LongReference) throws(EngineError) -> ByteView {
    let value = ByteBuffer(count: max(reference.byteCount, 1))
    let page = ByteBuffer(count: geometry.pageByteCount)
    defer { page.zero(0..<page.count) }
    let header = geometry.envelopeByteCount
    for index in 0..<geometry.runPageCount(reference.byteCount) {
      let number = reference.page + PageNumber(index)
      try read(number, birth: reference.birth, into: page)
      guard page.load(UInt8.self, at: header + PageLayout.kind) == PageKind.longValue.rawValue,
        page.load(UInt32.self, at: header + PageLayout.longIndex) == UInt32(index),
        page.load(UInt32.self, at: header + PageLayout.longByteCount) == UInt32(reference.byteCount)
      else { throw corrupted(number, "it isn't the part of a long value that it should be") }
      let start = index * geometry.firstRunByteCount
      let count = min(geometry.firstRunByteCount, reference.byteCount - start)
      value.copy(from: page, header + PageLayout.longData..<header + PageLayout.longData + count, at: start)
    }
    return value.view(0..<reference.byteCount)
  }

  /// Writes a value to the pages from `first` on, in pieces of up to 64 KiB. Nobody reads them before the transaction is published.
  ///
  /// - Parameter didWrite: called with each page and the checksum of its stored bytes.
  func writeLongValue(
    _ value: borrowing RawSpan, at first: PageNumber, birth: TransactionID, tree: UInt32, didWrite: (PageNumber, UInt32) -> Void
  ) throws(EngineError) {
    let pageCount = geometry.runPageCount(value.byteCount)
    if !geometry.isSealed {
      let run = ByteBuffer(count: pageCount * geometry.pageByteCount)
      writeHeader(in: run, at: 0, page: first, index: 0, byteCount: value.byteCount, birth: birth, tree: tree)
      run.copy(value, at: geometry.envelopeByteCount + PageLayout.longData)
      run.store(UInt64(plainChecksum(run.view, first)), at: PageLayout.plainChecksum)
      try write(run, 0..<run.count, at: first)
      for index in 0..<pageCount {
        let start = index * geometry.pageByteCount
        didWrite(first + PageNumber(index), Checksum.crc32(run, start..<start + geometry.pageByteCount))
      }
      return
    }
    let perWrite = max(65_536 / geometry.pageByteCount, 1)
    let pages = ByteBuffer(count: perWrite * geometry.pageByteCount)
    defer { pages.zero(0..<pages.count) }
    var index = 0
    while index < pageCount {
      let count = min(perWrite, pageCount - index)
      pages.zero(0..<count * geometry.pageByteCount)
      for place in 0..<count {
        let (start, number) = (place * geometry.pageByteCount, first + PageNumber(index + place))
        writeHeader(in: pages, at: start, page: number, index: index + place, byteCount: value.byteCount, birth: birth, tree: tree)
        let from = (index + place) * geometry.firstRunByteCount
        let part = value.extracting(from..<min(from + geometry.firstRunByteCount, value.byteCount))
        pages.copy(part, at: start + geometry.envelopeByteCount + PageLayout.longData)
        didWrite(number, finish(number, birth: birth, in: pages, at: start))
      }
      try write(pages, 0..<count * geometry.pageByteCount, at: first + PageNumber(index))
      index += count
    }
  }

  private func writeHeader(
    in buffer: ByteBuffer, at start: Int, page: PageNumber, index: Int, byteCount: Int, birth: TransactionID, tree: UInt32
  ) {
    let header = start + geometry.envelopeByteCount
    buffer.store(birth, at: header + PageLayout.birth)
    buffer.store(PageKind.longValue.rawValue, at: header + PageLayout.kind)
    buffer.store(UInt32(byteCount), at: header + PageLayout.longByteCount)
    buffer.store(UInt32(index), at: header + PageLayout.longIndex)
    buffer.store(page, at: header + PageLayout.page)
    buffer.store(tree, at: header + PageLayout.tree)
  }
}
