import RawMemory

/// Reading. A call sees everything that any process has written before it.
///
/// All of these throw ``LogError/closed``, ``LogError/suspended``, ``LogError/forkedHandle``, ``LogError/keyChanged`` when another
/// process has rekeyed the file, ``LogError/corrupted(offset:reason:)``, and ``LogError/invalidKey`` or
/// ``LogError/keyTooLarge(byteCount:limit:)`` for a key that no log has. O(1) in keys, and no system call in the steady state.
extension KeyValueLog {
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func string(forKey key: String) throws(LogError) -> String? { try value(String.self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func int(forKey key: String) throws(LogError) -> Int? { try value(Int.self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func uint(forKey key: String) throws(LogError) -> UInt64? { try value(UInt64.self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func double(forKey key: String) throws(LogError) -> Double? { try value(Double.self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func bool(forKey key: String) throws(LogError) -> Bool? { try value(Bool.self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func bytes(forKey key: String) throws(LogError) -> [UInt8]? { try value([UInt8].self, forKey: key) }
  /// nil when absent or expired. - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func timestamp(forKey key: String) throws(LogError) -> LogTimestamp? { try value(LogTimestamp.self, forKey: key) }

  /// The value of a type; nil when absent or expired.
  /// - Throws: ``LogError/typeMismatch(stored:requested:)`` when stored as another type.
  public func value<V: LogValue>(_ type: V.Type, forKey key: String) throws(LogError) -> V? {
    var value: V?
    _ = try handle.lend(key) { record throws(LogError) in value = try record.value(type) }
    return value
  }

  /// Lends the encoded value, whatever its type: in place where the file is plain, decrypted into private memory otherwise.
  ///
  /// `body` isn't called when the key is absent or expired. The value stays what it is meanwhile, whoever writes.
  /// - Returns: what `body` returned; nil when the key is absent or expired.
  @inlinable public func withBytes<R>(
    forKey key: String, _ body: (Span<UInt8>) throws(LogError) -> R
  ) throws(LogError) -> R? {
    var result: R?
    try lendBytes(forKey: key) { bytes throws(LogError) in result = try body(bytes) }
    return result
  }

  /// Where the caller's types play no part. The record's memory is held by the record, so `body` runs without a lock.
  @usableFromInline func lendBytes(
    forKey key: String, _ body: (Span<UInt8>) throws(LogError) -> Void
  ) throws(LogError) {
    _ = try handle.lend(key) { record throws(LogError) in try record.buffer.withSpan(record.valueRange, body) }
  }

  /// The type that a key's value is stored as; nil when absent or expired.
  public func type(forKey key: String) throws(LogError) -> LogValueType? {
    var type: LogValueType?
    _ = try handle.lend(key) { record throws(LogError) in type = try record.type() }
    return type
  }

  /// Whether a key has a value.
  public func contains(_ key: String) throws(LogError) -> Bool {
    try handle.contains(key)
  }

  /// How many keys have a value. - Complexity: O(records).
  public var count: Int { get throws(LogError) { try handle.count() } }

  /// The keys that have a value, in no stated order. - Complexity: O(records).
  public func keys() throws(LogError) -> [String] {
    var keys: [String] = []
    try forEach { entry throws(LogError) in keys.append(entry.key) }
    return keys
  }

  /// Passes every live entry of one version, in no stated order.
  ///
  /// - Parameter body: may read the log; other calls of the same handle wait meanwhile if they are made from other threads, so keep it short.
  /// - Complexity: O(records); constant memory.
  public func forEach(_ body: (borrowing LogEntry) throws(LogError) -> Void) throws(LogError) {
    try handle.forEachLive { record throws(LogError) in try body(LogEntry(record)) }
  }
}
