import MailboxLog
import RawMemory
import StorageIO

/// Sets entries of a log with exact moments of expiry.
final class EntryWriter {
  let log: KeyValueLog
  private let clock: StandingClock

  /// Entries survive the death of this process at once, and a loss of power after `finish`.
  init(_ path: String, _ key: EncryptionKey?, createIfMissing: Bool = true) throws {
    var options = LogOptions(key: key)
    options.createIfMissing = createIfMissing
    clock = StandingClock()
    log = try KeyValueLog(path: path, options: options, system: clock)
  }

  /// - Parameter expiresAt: microseconds since 1970; 0, never.
  /// - Returns: false when it has expired already, and nothing was written.
  @discardableResult
  func set(_ value: FieldValue, forKey key: [UInt8], expiresAt: Int64) throws -> Bool {
    let now = clock.stand()
    if expiresAt != 0, expiresAt <= now { return false }
    let after: Duration? = expiresAt == 0 ? nil : .microseconds(expiresAt - now)
    try value.set(String(decoding: key, as: UTF8.self), in: log, expiresAfter: after)
    return true
  }

  func finish() throws {
    try log.synchronize()
    log.close()
  }
}

extension FieldValue {
  func set(_ key: String, in log: KeyValueLog, expiresAfter: Duration?) throws(LogError) {
    switch self {
    case .bytes(let bytes): try log.set(bytes, forKey: key, expiresAfter: expiresAfter)
    case .string(let bytes): try log.set(ExactText(bytes: bytes), forKey: key, expiresAfter: expiresAfter)
    case .int(let value): try log.set(value, forKey: key, expiresAfter: expiresAfter)
    case .uint(let value): try log.set(value, forKey: key, expiresAfter: expiresAfter)
    case .double(let value): try log.set(value, forKey: key, expiresAfter: expiresAfter)
    case .bool(let value): try log.set(value, forKey: key, expiresAfter: expiresAfter)
    case .date(let seconds):
      try log.set(LogTimestamp(secondsSinceReferenceDate: seconds), forKey: key, expiresAfter: expiresAfter)
    }
  }

  /// A string whose bytes stay what they are, be they UTF-8 or not.
  private struct ExactText: LogValue {
    let bytes: [UInt8]
    static var logValueType: LogValueType { .string }
    var logByteCount: Int { bytes.count }
    func appendLogBytes(to output: inout OutputSpan<UInt8>) { for byte in bytes { output.append(byte) } }
    init(bytes: [UInt8]) { self.bytes = bytes }
    init?(logBytes: Span<UInt8>) { bytes = logBytes.copied() }
  }
}
