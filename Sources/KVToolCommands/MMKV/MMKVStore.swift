import MailboxLog
import RawMemory
import Sealing
import StorageIO

/// A store that MMKV wrote, opened as far as its meta file vouches for it.
struct MMKVStore {
  /// A record: its key, and where its value is. An empty value is a removal.
  struct Record {
    let offset: UInt64
    let key: [UInt8]
    let value: Range<UInt64>
  }

  let body: MMKVBody
  let valuesExpire: Bool
  /// The offset behind what is read.
  private(set) var end: UInt64
  /// What is wrong with it, for people; nil when its checksum fits.
  private(set) var fault: String?
  /// Whether the checksum fits what is read.
  private(set) var isVouchedFor = false

  /// - Throws: `noPermission` for an encrypted store, `badData` for a newer one and for what is none.
  init(_ path: String, _ system: SystemCalls) throws {
    body = try about(path) { try MMKVBody(path, system) }
    let limit = max(body.fileByteCount, MMKVBody.start)
    guard let meta = try about(path + ".crc", { try MMKVMeta(path + ".crc", system) }), !meta.isBlank else {
      // Up to version 2 the size stands in the data file.
      let size = UInt64(try body.leadingByteCount())
      (end, valuesExpire) = (size > 0 && size <= limit - MMKVBody.start ? MMKVBody.start + size : limit, false)
      if try body.nonzeroEnd() > MMKVBody.start {
        fault = "its .crc file is missing or blank; what parses is read, and may be older than what was there, or removed"
      }
      return
    }
    guard meta.version <= MMKVMeta.newestVersion else {
      throw ToolFailure(.badData, "version \(meta.version) of MMKV's format is newer than \(MMKVMeta.newestVersion)", path: path)
    }
    valuesExpire = meta.valuesExpire
    let size = UInt64(meta.version >= 3 ? meta.byteCount : try body.leadingByteCount())
    let confirmed = UInt64(meta.confirmedByteCount)
    if size <= limit - MMKVBody.start, try body.checksum(byteCount: size) == meta.checksum {
      (end, isVouchedFor) = (MMKVBody.start + size, true)
    } else if confirmed > 0, confirmed <= limit - MMKVBody.start,
      try body.checksum(byteCount: confirmed) == meta.confirmedChecksum
    {
      (end, isVouchedFor) = (MMKVBody.start + confirmed, true)
      fault = "its checksum doesn't match; what was last confirmed is read, as it was then"
    } else {
      end = size > 0 && size <= limit - MMKVBody.start ? MMKVBody.start + size : limit
      fault = "its checksum doesn't match; values may be altered, and what isn't a record is left out"
    }
    if try looksSealed(hasVector: meta.hasVector) { throw Self.encrypted(path) }
  }

  /// Nothing says that a store is sealed: a vector stays when the app decrypts it, and old versions have none. It shows in that what the
  /// checksum vouches for doesn't begin with a record; and, with a vector, in that no more than a bit of it happens to parse.
  private func looksSealed(hasVector: Bool) throws -> Bool {
    if isVouchedFor, try !beginsWithRecord() { return true }
    guard hasVector else { return false }
    let parsed = try forEachRecord { _ in } - MMKVBody.start
    return isVouchedFor ? parsed < end - MMKVBody.start : parsed < (end - MMKVBody.start) / 2
  }

  private static func encrypted(_ path: String) -> ToolFailure {
    ToolFailure(
      .noPermission, "encrypted by MMKV, which this tool doesn't read: decrypt it in the app first (reKey to an empty key)",
      path: path)
  }

  /// Hands out every record in the order in which they were written. - Returns: the offset behind the last one.
  @discardableResult
  func forEachRecord(_ body: (Record) throws -> Void) throws -> UInt64 {
    guard end > MMKVBody.start, let first = try self.body.number(at: MMKVBody.start, before: end) else { return MMKVBody.start }
    var offset = first.end
    while offset < end, let record = try record(at: offset) {
      try ToolFailure.checkInterruption()
      try body(record)
      offset = record.value.upperBound
    }
    return offset
  }

  private func record(at offset: UInt64) throws -> Record? {
    guard let keyLength = try body.number(at: offset, before: end), keyLength.value > 0, keyLength.value <= end - keyLength.end,
      keyLength.value <= 1 << 20
    else { return nil }
    let keyEnd = keyLength.end + keyLength.value
    guard let key = try body.bytes(keyLength.end..<keyEnd), UTF8Scalars.isValid(key.span),
      let valueLength = try body.number(at: keyEnd, before: end), valueLength.value <= end - valueLength.end
    else { return nil }
    return Record(offset: offset, key: key, value: valueLength.end..<valueLength.end + valueLength.value)
  }

  private func beginsWithRecord() throws -> Bool {
    guard end > MMKVBody.start, let first = try body.number(at: MMKVBody.start, before: end) else { return end == MMKVBody.start }
    return try first.end == end || record(at: first.end) != nil
  }

  /// Bytes behind an offset that nothing was read from: up to where zeros begin, or the end that counts where that is vouched for.
  func leftOver(from offset: UInt64) throws -> UInt64 {
    if fault == nil { return end - offset }
    return max(try body.nonzeroEnd(), offset) - offset
  }
}
