import RawMemory
import Sealing

/// Completes frames for one place in one segment: numbers, time, sealing, checksums.
///
/// One for each open of a writer and segment. The counter belongs to the writer: it is taken before a record is sealed and never given
/// back, whatever becomes of the record, so that no nonce repeats.
final class FrameSealer {
  private let segment: Segment
  private let writer: WriterID
  private let cipher: RecordCipher?
  private let associatedData = ByteBuffer(count: SegmentLayout.Frame.checkedEnd)
  private let observer: NonceObserver?

  init(_ segment: Segment, writer: WriterID, observer: NonceObserver?) {
    self.segment = segment
    self.writer = writer
    self.observer = observer
    cipher = segment.keys?.cipher(for: writer)
  }

  /// Completes all frames of the builder, in place.
  /// - Parameter sequence: of the first; the others count up from it.
  func complete(_ frames: FrameBuilder, at fileOffset: UInt64, sequence: UInt64, appendedAt: Int64, counter: inout UInt64) {
    typealias Layout = SegmentLayout.Frame
    let buffer = frames.buffer
    var start = 0
    for position in 0..<frames.recordCount {
      let total = Int(buffer.load(UInt32.self, at: start + Layout.totalByteCount))
      buffer.store(sequence + UInt64(position), at: start + Layout.sequence)
      buffer.store(position, at: start + Layout.batchPosition)
      buffer.store(frames.recordCount, at: start + Layout.batchCount)
      buffer.store(appendedAt, at: start + Layout.appendedAt)
      writer.store(to: buffer, at: start + Layout.writerID)
      let offset = fileOffset + UInt64(start)
      if let cipher {
        let nonce = counter
        counter += 1
        buffer.store(nonce, at: start + Layout.counter)
        FrameAssociatedData.fill(associatedData, from: buffer, at: start, fileOffset: offset)
        let body = start + Layout.body
        let byteCount =
          Int(buffer.load(UInt32.self, at: start + Layout.idByteCount))
          + Int(buffer.load(UInt32.self, at: start + Layout.valueByteCount))
        cipher.seal(
          buffer, body..<body + byteCount, tagAt: body + byteCount, associatedData: associatedData, 0..<associatedData.count,
          counter: nonce, observer: observer)
      }
      buffer.store(segment.checksum.bodyChecksum(buffer, at: start, totalByteCount: total), at: start + Layout.bodyChecksum)
      buffer.store(segment.checksum.headerChecksum(buffer, at: start, fileOffset: offset), at: start + Layout.headerChecksum)
      start += total
    }
  }
}

/// What a record's tag vouches for beside its id and value: the whole header but the checksums, and where in the file it is.
enum FrameAssociatedData {
  static func fill(_ target: ByteBuffer, from frame: ByteBuffer, at start: Int, fileOffset: UInt64) {
    target.copy(from: frame, start..<start + SegmentLayout.Frame.checkedEnd, at: 0)
    target.store(fileOffset, at: 0)
    target.store(frame.load(UInt32.self, at: start + SegmentLayout.Frame.totalByteCount), at: SegmentLayout.Frame.bodyChecksum)
  }
}
