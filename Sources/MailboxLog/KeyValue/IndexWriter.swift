import RawMemory
import Sealing

/// Makes the record of a run.
struct IndexWriter {
  let segment: Segment
  let writer: WriterID
  let observer: NonceObserver?

  /// Adds the record to the frames, which hold nothing else, for one place in the file.
  ///
  /// - Parameters:
  ///   - entries: in any order.
  ///   - offset: where in the file the record will stand; what is below it is covered.
  func add(
    _ entries: [IndexEntry], to frames: FrameBuilder, at offset: UInt64, clearedEnd: UInt64, previous: UInt64,
    counter: inout UInt64
  ) {
    let sorted = entries.sorted(by: IndexEntry.isBefore)
    let blocks = Self.blocks(sorted.map { $0.hash })
    let byteCount = (blocks.count + 1) * IndexLayout.blockByteCount
    let start = frames.beginRecord(.index, idByteCount: 0, valueByteCount: byteCount, valueType: LogValueType.bytes.rawValue)
    let buffer = frames.buffer
    buffer.zero(start..<start + byteCount)
    buffer.store(offset, at: start + IndexLayout.coveredEnd)
    buffer.store(clearedEnd, at: start + IndexLayout.clearedEnd)
    buffer.store(previous, at: start + IndexLayout.previous)
    buffer.store(UInt64(sorted.count), at: start + IndexLayout.entryCount)
    buffer.store(UInt64(blocks.count), at: start + IndexLayout.blockCount)
    for (index, range) in blocks.enumerated() {
      let block = start + (index + 1) * IndexLayout.blockByteCount
      buffer.store(UInt16(range.count), at: block + IndexLayout.count)
      for (place, entry) in sorted[range].enumerated() {
        let at = block + IndexLayout.entries + place * IndexLayout.entryByteCount
        buffer.store(entry.hash, at: at)
        buffer.store(entry.offset, at: at + 8)
      }
    }
    let cipher = segment.keys?.cipher(for: writer)
    let associatedData = ByteBuffer(count: 8)
    for index in 0...blocks.count {
      let block = start + index * IndexLayout.blockByteCount
      let place = offset + UInt64(block)
      let payload = block..<block + IndexLayout.payloadByteCount
      if let cipher {
        let nonce = counter
        counter += 1
        buffer.store(nonce, at: block + IndexLayout.counter)
        associatedData.store(place, at: 0)
        cipher.seal(
          buffer, payload, tagAt: block + IndexLayout.tag, associatedData: associatedData, 0..<8, counter: nonce, observer: observer
        )
      } else {
        buffer.store(segment.checksum.blockChecksum(buffer, payload, fileOffset: place), at: block + IndexLayout.tag)
      }
    }
  }

  /// Which of the sorted entries each block takes: those whose hash points to it, as far as there is room. What is left goes on to the next.
  static func blocks(_ hashes: [UInt64]) -> [Range<Int>] {
    var blockCount = max(1, (hashes.count + IndexLayout.entriesPerBlockUsual - 1) / IndexLayout.entriesPerBlockUsual)
    while true {
      var ranges: [Range<Int>] = []
      var next = 0
      for index in 0..<blockCount {
        let start = next
        while next < hashes.count, next - start < IndexLayout.entriesPerBlock,
          IndexLayout.home(hashes[next], blockCount: UInt64(blockCount)) <= UInt64(index)
        { next += 1 }
        ranges.append(start..<next)
      }
      if next == hashes.count { return ranges }
      // More than fit into the last ones. With another number of blocks every hash points elsewhere.
      blockCount += (hashes.count - next) / IndexLayout.entriesPerBlockUsual + 1
    }
  }
}
