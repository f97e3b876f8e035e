import RawMemory
import StorageIO

/// The parts of a file for annotated dumps: name, where it is, what it says.
extension SegmentInspection {
  /// The fields of the first block.
  package func headerFields() -> [Field] {
    typealias Layout = SegmentLayout.Header
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ name: String, _ offset: Int, _ type: T.Type) -> Field {
      (name, UInt64(offset)..<UInt64(offset + MemoryLayout<T>.size), "\(header.load(type, at: offset))")
    }
    func bytes(_ name: String, _ range: Range<Int>) -> Field {
      (name, UInt64(range.lowerBound)..<UInt64(range.upperBound), hexadecimal(header, range))
    }
    return [
      bytes("magic", 0..<8), number("format version", Layout.formatVersion, UInt16.self),
      number("file kind", Layout.fileKind, UInt8.self), number("suite", Layout.suite, UInt8.self),
      number("block bytes", Layout.blockByteCount, UInt32.self), number("may-read features", Layout.mayReadFeatures, UInt64.self),
      number("may-write features", Layout.mayWriteFeatures, UInt64.self),
      number("must-understand features", Layout.mustUnderstandFeatures, UInt64.self),
      bytes("identifier", Layout.identifier..<Layout.createdAt), number("created at", Layout.createdAt, Int64.self),
      bytes("salt", Layout.salt..<Layout.keyScheme), number("key scheme", Layout.keyScheme, UInt32.self),
      bytes("public key", Layout.publicKey..<Layout.keyCheck), bytes("key check", Layout.keyCheck..<Layout.keyCheckEnd),
      number("checksum", Layout.checksum, UInt32.self),
    ]
  }

  /// The header fields of the frame at an offset, whatever is there; empty where the file ends before.
  package func frameFields(at offset: UInt64) throws(LogError) -> [Field] {
    typealias Layout = SegmentLayout.Frame
    let frame = ByteBuffer(count: Layout.body)
    let count = try at(path) { () throws(SystemError) in try file.read(frame, 0..<frame.count, at: offset) }
    guard count == frame.count else { return [] }
    func number<T: FixedWidthInteger & BitwiseCopyable>(_ name: String, _ at: Int, _ type: T.Type) -> Field {
      (name, offset + UInt64(at)..<offset + UInt64(at + MemoryLayout<T>.size), "\(frame.load(type, at: at))")
    }
    let writer = Layout.writerID
    return [
      number("header checksum", Layout.headerChecksum, UInt32.self), number("total bytes", Layout.totalByteCount, UInt32.self),
      number("body checksum", Layout.bodyChecksum, UInt32.self), number("schema version", Layout.schemaVersion, UInt32.self),
      number("sequence", Layout.sequence, UInt64.self), number("kind", Layout.kind, UInt8.self),
      number("flags", Layout.flags, UInt8.self), number("value type", Layout.valueType, UInt8.self),
      number("id bytes", Layout.idByteCount, UInt32.self), number("value bytes", Layout.valueByteCount, UInt32.self),
      number("batch position", Layout.batchPosition, UInt32.self), number("batch count", Layout.batchCount, UInt32.self),
      ("writer id", offset + UInt64(writer)..<offset + UInt64(writer + 32), hexadecimal(frame, writer..<writer + 32)),
      number("counter", Layout.counter, UInt64.self), number("appended at", Layout.appendedAt, Int64.self),
      number("expires at", Layout.expiresAt, Int64.self), number("acknowledged", Layout.acknowledged, UInt64.self),
    ]
  }

  private func hexadecimal(_ buffer: ByteBuffer, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    for i in range {
      let byte = buffer.load(UInt8.self, at: i)
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 48 + digit : 87 + digit) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
