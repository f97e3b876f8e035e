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
    cipher = segment.keys?.cipher(ofReader: writer)
  }

  /// Completes all frames of the builder, in place.
  /// - Parameter sequence: of the first; the others count up from it.
  func complete(_ frames: FrameBuilder, at fileOffset: UInt64, sequence: UInt64, appendedAt: Int64, counter: inout UInt64) {
    typealias Layout = SegmentLayout.Frame
    complete(frames, at: fileOffset, counter: &counter) { position, start in
      frames.buffer.store(sequence + UInt64(position), at: start + Layout.sequence)
      frames.buffer.store(position, at: start + Layout.batchPosition)
      frames.buffer.store(frames.recordCount, at: start + Layout.batchCount)
      frames.buffer.store(appendedAt, at: start + Layout.appendedAt)
    }
  }

  /// Completes records of another file, each with its own number and time, which the frames have; none is a part of a batch any more.
  func completeCopies(_ frames: FrameBuilder, at fileOffset: UInt64, counter: inout UInt64) {
    complete(frames, at: fileOffset, counter: &counter) { _, start in
      frames.buffer.store(UInt32(1), at: start + SegmentLayout.Frame.batchCount)
    }
  }

  private func complete(
    _ frames: FrameBuilder, at fileOffset: UInt64, counter: inout UInt64, number: (_ position: UInt32, _ start: Int) -> Void
  ) {
    typealias Layout = SegmentLayout.Frame
    let buffer = frames.buffer
    var start = 0
    for position in 0..<frames.recordCount {
      let total = Int(buffer.load(UInt32.self, at: start + Layout.totalByteCount))
      number(position, start)
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
        // The blocks of an index are sealed one by one, so that each can be read alone: the tag is of the header.
        let isIndex = buffer.load(UInt8.self, at: start + Layout.kind) == RecordKind.index.rawValue
        cipher.seal(
          buffer, body..<body + (isIndex ? 0 : byteCount), tagAt: body + byteCount, associatedData: associatedData,
          0..<associatedData.count,
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
