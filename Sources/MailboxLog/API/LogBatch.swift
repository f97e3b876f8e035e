import RawMemory

/// Changes that become visible together or not at all.
public struct LogBatch {
  private(set) var operations: [LogOperation] = []
  private(set) var isCancelled = false

  init() {}

  /// Sets a key's value. What is wrong with the key or the value, `update` throws.
  public mutating func set(_ value: some LogValue, forKey key: String, expiresAfter: Duration? = nil) {
    operations.append(LogOperation(set: value, key, expiresAfter))
  }
  /// Sets a key's value to bytes.
  public mutating func set(_ bytes: Span<UInt8>, forKey key: String, expiresAfter: Duration? = nil) {
    operations.append(LogOperation(set: bytes, key, expiresAfter))
  }
  /// Removes a key; an absent one is fine.
  public mutating func removeValue(forKey key: String) { operations.append(LogOperation(remove: key)) }
  /// Nothing of the batch is written; `update` returns normally.
  public mutating func cancel() { isCancelled = true }
}

/// One change, encoded.
struct LogOperation {
  let key: String
  /// nil removes.
  let value: [UInt8]?
  let type: LogValueType
  let expiresAfter: Duration?

  init<V: LogValue>(set value: V, _ key: String, _ expiresAfter: Duration?) {
    self.key = key
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: value.logByteCount) { value.appendLogBytes(to: &$0) }
    self.value = bytes
    type = V.logValueType
    self.expiresAfter = expiresAfter
  }
  init(set bytes: Span<UInt8>, _ key: String, _ expiresAfter: Duration?) {
    self.key = key
    value = bytes.copied()
    type = .bytes
    self.expiresAfter = expiresAfter
  }
  init(remove key: String) {
    self.key = key
    value = nil
    type = .bytes
    expiresAfter = nil
  }

  /// Microseconds since 1970: of what expires a while from now.
  static func expiry(_ duration: Duration, _ now: Int64) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let limit: Int64 = 1 << 60
    if seconds > limit / 1_000_000 { return limit }
    return max(1, now + max(seconds, -now / 1_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
