import CSystem
import RawMemory
import StorageIO

/// The data file of an MMKV store, read through `pread` a stretch at a time.
final class MMKVBody {
  /// The body begins behind a u32, which is its size below version 3.
  static let start: UInt64 = 4

  let fileByteCount: UInt64
  private let file: StorageFile
  private var buffer = ByteBuffer(count: 1 << 16)
  private var range: Range<UInt64> = 0..<0

  init(_ path: String, _ system: SystemCalls) throws {
    file = try StorageFile(system, path: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK, isQuiet: true)
    let status = try file.status()
    guard status.kind == .file else { throw ToolFailure(.badData, "not a regular file", path: path) }
    fileByteCount = status.byteCount
  }

  /// The u32 at the start; 0 for a file that is shorter.
  func leadingByteCount() throws -> UInt32 { try load(0, 4).map { buffer.load(UInt32.self, at: $0) } ?? 0 }

  /// Where in the buffer some bytes are; nil when the file ends before them.
  private func load(_ offset: UInt64, _ count: Int) throws -> Int? {
    guard count >= 0, offset <= fileByteCount, UInt64(count) <= fileByteCount - offset else { return nil }
    if range.lowerBound <= offset, offset + UInt64(count) <= range.upperBound { return Int(offset - range.lowerBound) }
    if count > buffer.count || buffer.count > 1 << 16 { buffer = ByteBuffer(count: max(1 << 16, (count + 4095) & ~4095)) }
    range = 0..<0
    let read = try file.read(buffer, 0..<Int(min(UInt64(buffer.count), fileByteCount - offset)), at: offset)
    range = offset..<offset + UInt64(read)
    return read >= count ? 0 : nil
  }

  /// nil when the file ends before them.
  func bytes(_ range: Range<UInt64>) throws -> [UInt8]? {
    try load(range.lowerBound, range.count).map { buffer.bytes($0..<$0 + range.count) }
  }

  /// A number in groups of 7 bits, the lowest first, and the offset behind it; nil when none ends before `end`.
  func number(at offset: UInt64, before end: UInt64) throws -> (value: UInt64, end: UInt64)? {
    var (value, at): (UInt64, UInt64) = (0, offset)
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard at < end, let place = try load(at, 1) else { return nil }
      let byte = buffer.load(UInt8.self, at: place)
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return (value, at) }
    }
    return nil
  }

  /// CRC-32 of the first bytes of the body.
  func checksum(byteCount: UInt64) throws -> UInt32? {
    var (sum, offset): (UInt32, UInt64) = (0, Self.start)
    let end = Self.start + byteCount
    while offset < end {
      try ToolFailure.checkInterruption()
      let count = Int(min(UInt64(1 << 16), end - offset))
      guard let place = try load(offset, count) else { return nil }
      sum = Checksum.crc32(buffer, place..<place + count, seed: sum)
      offset += UInt64(count)
    }
    return sum
  }

  /// The offset behind the last byte that isn't zero.
  func nonzeroEnd() throws -> UInt64 {
    var end = fileByteCount
    while end > Self.start {
      let start = max(Self.start, end > 1 << 16 ? end - 1 << 16 : 0)
      guard let bytes = try bytes(start..<end) else { return end }
      if let last = bytes.lastIndex(where: { $0 != 0 }) { return start + UInt64(last) + 1 }
      end = start
    }
    return end
  }
}
