public import Foundation
public import MailboxLog

/// Codable values are stored as JSON in a string, so that kvtool shows them.
extension KeyValueLog {
  /// Sets a value as JSON. As `set(_:forKey:expiresAfter:)`.
  ///
  /// - Throws: what encoding throws, and `LogError`.
  public func setCodable(_ value: some Encodable, forKey key: String, expiresAfter: Duration? = nil) throws {
    let encoder = JSONEncoder()
    // The same value has the same bytes, for `compareAndSet` and for people who compare files.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try set(String(decoding: try encoder.encode(value), as: UTF8.self), forKey: key, expiresAfter: expiresAfter)
  }
  /// The value of a key, decoded from JSON; nil when the key isn't there.
  ///
  /// - Throws: what decoding throws; `LogError.typeMismatch` for what isn't a string.
  public func codable<T: Decodable>(_ type: T.Type, forKey key: String) throws -> T? {
    guard let text = try string(forKey: key) else { return nil }
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
extension MailboxWriter {
  /// Appends a value as JSON. As `append(id:payload:)`.
  ///
  /// - Throws: what encoding throws, and `LogError`.
  @discardableResult
  public func append(id: String, encoding value: some Encodable, schemaVersion: UInt32 = 0, timeout: Duration? = nil) throws
    -> MailboxPosition
  {
    try append(id: id, payload: [UInt8](try JSONEncoder().encode(value)), schemaVersion: schemaVersion, timeout: timeout)
  }
}
extension MailboxEntry {
  /// Decodes a payload that is JSON.
  ///
  /// - Throws: what decoding throws.
  public func decode<T: Decodable>(_ type: T.Type, decoder: JSONDecoder = JSONDecoder()) throws -> T {
    try decoder.decode(type, from: Data(payload))
  }
}
