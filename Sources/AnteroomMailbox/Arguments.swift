import CAnteroomMailbox
import MailboxLog

/// A text of the caller's.
func text(_ pointer: UnsafePointer<CChar>?) throws(CallError) -> String {
  guard let pointer = unsafe pointer else { throw .missingArgument }
  guard let text = unsafe String(validatingCString: pointer) else { throw .invalidText }
  return text
}

/// Bytes of the caller's, for the time of `body`.
func withBytes<R>(
  _ pointer: UnsafeRawPointer?, _ byteCount: Int, _ body: (Span<UInt8>) throws(CallError) -> R
) throws(CallError) -> R {
  guard unsafe pointer != nil || byteCount == 0, byteCount >= 0 else { throw .missingArgument }
  let bytes = unsafe UnsafeBufferPointer(start: pointer?.assumingMemoryBound(to: UInt8.self), count: byteCount)
  return try unsafe body(bytes.span)
}

/// 0 is the absence of a time.
func duration(milliseconds: UInt64) -> Duration? { milliseconds == 0 ? nil : .milliseconds(Int64(clamping: milliseconds)) }

extension LogOptions {
  /// Of the C structure; NULL is the defaults.
  init(_ options: UnsafePointer<anteroom_options>?) throws(CallError) {
    self.init()
    guard let given = unsafe options?.pointee else { return }
    if let bytes = unsafe given.key {
      try unsafe withBytes(bytes, given.key_byte_count) { span throws(CallError) in
        if unsafe given.is_write_only {
          writeOnlyKey = try calling { () throws(LogError) in try MailboxPublicKey(span.indices.map { span[$0] }) }
        } else {
          key = try calling { () throws(LogError) in try EncryptionKey(span) }
        }
      }
    }
    switch unsafe Int(given.durability) {
    case ANTEROOM_DURABILITY_PROCESS_CRASH: durability = .processCrash
    case ANTEROOM_DURABILITY_POWER_LOSS: durability = .powerLoss
    default: break
    }
    if unsafe given.capacity > 0 { capacity = unsafe given.capacity }
    if unsafe given.record_byte_count_max > 0 { recordByteCountMax = unsafe Int(clamping: given.record_byte_count_max) }
    if unsafe given.lock_timeout_ms > 0 { lockTimeout = unsafe .milliseconds(Int64(given.lock_timeout_ms)) }
    if unsafe given.drops_oldest { overflow = .dropOldest }
    if unsafe given.is_group_writable { permissions = .group }
    if unsafe given.is_read_only { access = .readOnly }
    if unsafe given.must_exist { createIfMissing = false }
  }
}

/// A Swift object as C holds it: retained until `take`.
struct Handle<Object: AnyObject> {
  static func give(_ object: Object) -> OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque()) }
  static func borrow(_ handle: OpaquePointer?) throws(CallError) -> Object {
    guard let handle = unsafe handle else { throw .missingArgument }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }
  static func take(_ handle: OpaquePointer?) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
  }
}

/// Stores a result where the caller wants it; NULL is fine.
func store<Value>(_ value: Value, _ place: UnsafeMutablePointer<Value>?) {
  if let place = unsafe place { unsafe place.pointee = value }
}
