/// What a file or a call got wrong. Every throwing call of this module throws it, typed.
///
/// Unless a case says otherwise, the file is as it was before the call.
public enum LogError: Error, Sendable {
  /// Nothing has this path.
  case notFound(path: String)
  /// The bytes at this path aren't a file of this library, or it isn't the kind that was asked for.
  case notALog(path: String)
  /// A newer build wrote the file.
  case unsupportedVersion(found: UInt16, newest: UInt16)
  /// The file is encrypted and no key was given (or only a write-only key, and the call has to read).
  case keyRequired
  /// A key was given for a plain file.
  case keyNotExpected
  /// The key isn't the file's.
  case wrongKey
  /// Another process rekeyed the file while this handle was open: reopen with the new key.
  case keyChanged
  /// A key has 32 or 64 bytes.
  case invalidKeyLength(actual: Int)
  /// Bytes at this offset aren't what their checksum or tag says.
  case corrupted(offset: UInt64, reason: String)
  /// A value is stored as another type than was asked for.
  case typeMismatch(stored: LogValueType, requested: LogValueType)
  /// The entry of a mailbox has no field of this name.
  case missingField(name: String)
  /// An empty key or an empty entry id.
  case invalidKey
  /// A key, an id or a field's name is too long.
  case keyTooLarge(byteCount: Int, limit: Int)
  /// An id and its value together are larger than the limit.
  case recordTooLarge(byteCount: Int, limit: Int)
  /// The configured capacity is used up and the overflow policy is `.reject`.
  case full(capacity: UInt64)
  /// The device or the quota is full.
  case noSpace
  /// No lock within `LogOptions.lockTimeout`.
  case busy(waited: Duration)
  /// The caller's own timeout passed before publication: nothing was appended.
  case deadlineExceeded
  /// File protection: the device hasn't been unlocked since it started. Nothing is wrong with the file.
  case protectedData
  /// The handle, or the file system, is for reading only.
  case readOnly
  /// `suspend()` was called, and not `resume()`.
  case suspended
  /// `close()` was called.
  case closed
  /// The handle was opened by the parent of this process: open one's own.
  case forkedHandle
  /// An earlier sync of this handle failed, so what it wrote may not be durable: close it and open anew.
  case failedEarlier
  /// A system call failed, with this `errno`.
  case system(call: String, errno: Int32, path: String)
}

extension LogError {
  /// A small number that never changes its meaning: what the C interface returns.
  public var code: UInt8 {
    switch self {
    case .notFound: 1
    case .notALog: 2
    case .unsupportedVersion: 3
    case .keyRequired: 4
    case .keyNotExpected: 5
    case .wrongKey: 6
    case .keyChanged: 7
    case .invalidKeyLength: 8
    case .corrupted: 9
    case .typeMismatch: 10
    case .invalidKey: 11
    case .keyTooLarge: 12
    case .recordTooLarge: 13
    case .full: 14
    case .noSpace: 15
    case .busy: 16
    case .deadlineExceeded: 17
    case .protectedData: 18
    case .readOnly: 19
    case .suspended: 20
    case .closed: 21
    case .forkedHandle: 22
    case .failedEarlier: 23
    case .system: 24
    case .missingField: 25
    }
  }
}

extension LogError: Equatable {
  /// Equal when case and numbers are; texts, paths and times waited are left out. Written by hand because comparing a
  /// `String` pulls the Unicode tables into an Embedded binary, and because these parts differ from run to run.
  /// See above.
  public static func == (a: LogError, b: LogError) -> Bool {
    switch (a, b) {
    case (.unsupportedVersion(let a, let a2), .unsupportedVersion(let b, let b2)): a == b && a2 == b2
    case (.invalidKeyLength(let a), .invalidKeyLength(let b)): a == b
    case (.corrupted(let a, _), .corrupted(let b, _)): a == b
    case (.typeMismatch(let a, let a2), .typeMismatch(let b, let b2)): a == b && a2 == b2
    case (.keyTooLarge(let a, let a2), .keyTooLarge(let b, let b2)): a == b && a2 == b2
    case (.recordTooLarge(let a, let a2), .recordTooLarge(let b, let b2)): a == b && a2 == b2
    case (.full(let a), .full(let b)): a == b
    case (.system(_, let a, _), .system(_, let b, _)): a == b
    default: a.code == b.code
    }
  }
}
