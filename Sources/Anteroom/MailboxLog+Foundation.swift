#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

public import MailboxLog

extension KeyValueLog {
  /// Opens the log at a file's URL.
  public convenience init(file: URL, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(path: file.path, options: options)
  }
  /// A value that was set as a date, bit by bit; nil when the key isn't there.
  public func date(forKey key: String) throws(LogError) -> Date? { try value(Date.self, forKey: key) }
  /// A value that was set as bytes; nil when the key isn't there.
  public func data(forKey key: String) throws(LogError) -> Data? { try value(Data.self, forKey: key) }
}
extension MailboxWriter {
  /// Opens the mailbox of a directory's URL.
  public convenience init(directory: URL, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(directory: directory.path, options: options)
  }
  /// Appends an entry whose payload is data. As `append(id:payload:)` of bytes.
  @discardableResult
  public func append(id: String, payload: Data, timeout: Duration? = nil) throws(LogError) -> MailboxPosition {
    try append(id: id, payload: [UInt8](payload), timeout: timeout)
  }
}
extension MailboxReader {
  /// Opens the mailbox of a directory's URL.
  public convenience init(directory: URL, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(directory: directory.path, options: options)
  }
}
extension MailboxEntry {
  /// A field that holds a date, bit by bit as it was set.
  public func date(_ field: String) throws(LogError) -> Date { try value(Date.self, field) }
  /// A field that holds bytes.
  public func data(_ field: String) throws(LogError) -> Data { try value(Data.self, field) }
}
extension EncryptionKey {
  /// A key of 32 or 64 bytes.
  public convenience init(_ data: Data) throws(LogError) { try self.init([UInt8](data)) }
}
