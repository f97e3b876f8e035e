import RawMemory

/// Writing. On return a write is visible to every process and survives the death of this one; with `.powerLoss` also a loss of power.
///
/// All of these throw what reading does, and ``LogError/busy(waited:)`` when no lock was to be had within
/// ``LogOptions/lockTimeout``, ``LogError/recordTooLarge(byteCount:limit:)``, ``LogError/full(capacity:)``, ``LogError/noSpace``,
/// ``LogError/readOnly``, ``LogError/failedEarlier``: nothing was written. A sync that fails throws
/// ``LogError/system(call:errno:path:)``: the change is there and may not survive a loss of power.
extension KeyValueLog {
  /// Sets a key's value.
  /// - Parameters:
  ///   - value: of one of the seven types; with the key at most ``LogOptions/recordByteCountMax`` bytes.
  ///   - key: 1 to 1,024 bytes of UTF-8.
  ///   - expiresAfter: from now, by the clock; nil, never. 0 and less: it is expired at once.
  public func set(_ value: some LogValue, forKey key: String, expiresAfter: Duration? = nil) throws(LogError) {
    try setValue(value, forKey: key, expiresAfter: expiresAfter)
  }
  private func setValue<V: LogValue>(_ value: V, forKey key: String, expiresAfter: Duration?) throws(LogError) {
    try handle.set(key, V.logValueType, byteCount: value.logByteCount, expiresAfter: expiresAfter) {
      value.appendLogBytes(to: &$0)
    }
  }

  /// Sets a key's value to bytes.
  public func set(_ bytes: Span<UInt8>, forKey key: String, expiresAfter: Duration? = nil) throws(LogError) {
    try handle.set(key, .bytes, byteCount: bytes.count, expiresAfter: expiresAfter) { $0.append(copying: bytes) }
  }

  /// Removes a key. - Returns: whether there was something to remove. Nothing is written when there wasn't.
  @discardableResult public func removeValue(forKey key: String) throws(LogError) -> Bool {
    try handle.remove(key)
  }

  /// Removes every key. - Complexity: O(1).
  public func removeAll() throws(LogError) { try handle.removeAll() }

  /// Makes several changes: all of them or none, to every reader and after every crash. None when `body` throws.
  ///
  /// - Parameter body: called once, before any lock is taken; later changes of a key win.
  public func update(_ body: (inout LogBatch) throws(LogError) -> Void) throws(LogError) {
    var batch = LogBatch()
    try body(&batch)
    try handle.write(batch)
  }

  /// Writes `value` if the stored value is `expected`, both as type and encoded bytes; nil stands for 'absent'.
  ///
  /// So NaN equals itself and -0.0 differs from 0.0. Nobody writes in between, in any process.
  /// - Returns: whether it was, and `value` is there now.
  @discardableResult
  public func compareAndSet<V: LogValue>(_ key: String, expected: V?, to value: V?) throws(LogError) -> Bool {
    let new = if let value { LogOperation(set: value, key, nil) } else { LogOperation(remove: key) }
    return try handle.write(new, ifStored: expected.map { LogOperation(set: $0, key, nil) })
  }
}
