public import Foundation
public import MailboxLog

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
