public import CAnteroomMailbox
import MailboxLog

/// For C, as the header says.
@c @implementation
public func anteroom_log_open(
  _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<anteroom_options>!,
  _ log: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    guard let place = unsafe log else { throw .missingArgument }
    unsafe place.pointee = nil
    let path = try unsafe text(path)
    let options = try unsafe LogOptions(options)
    let opened = try calling { () throws(LogError) in try KeyValueLog(path: path, options: options) }
    unsafe place.pointee = Handle.give(opened)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_set_string(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ expires_after_ms: UInt64,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    let value = try unsafe text(value)
    try calling { () throws(LogError) in
      try log.set(value, forKey: key, expiresAfter: duration(milliseconds: expires_after_ms))
    }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_set_bytes(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ byte_count: Int,
  _ expires_after_ms: UInt64, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    try unsafe withBytes(value, byte_count) { bytes throws(CallError) in
      try calling { () throws(LogError) in
        try log.set(bytes, forKey: key, expiresAfter: duration(milliseconds: expires_after_ms))
      }
    }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_set_int64(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: Int64, _ expires_after_ms: UInt64,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe setValue(log, key, value, expires_after_ms, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_set_double(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: Double, _ expires_after_ms: UInt64,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe setValue(log, key, value, expires_after_ms, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_set_bool(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: Bool, _ expires_after_ms: UInt64,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe setValue(log, key, value, expires_after_ms, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_remove(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ was_there: UnsafeMutablePointer<Bool>!,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    unsafe store(try calling { () throws(LogError) in try log.removeValue(forKey: key) }, was_there)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_synchronize(_ log: OpaquePointer!, _ error: UnsafeMutablePointer<anteroom_error>!) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    let log = try unsafe Handle<KeyValueLog>.borrow(log)
    try calling { () throws(LogError) in try log.synchronize() }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_close(_ log: OpaquePointer!) { unsafe Handle<KeyValueLog>.take(log)?.close() }

/// What every call on a key begins with.
func set(
  _ log: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<anteroom_error>?,
  _ body: (KeyValueLog, String) throws(CallError) -> Void
) -> Int32 {
  unsafe call(error) { () throws(CallError) in try body(unsafe Handle<KeyValueLog>.borrow(log), unsafe text(key)) }
}

private func setValue(
  _ log: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: some LogValue, _ expiresAfterMilliseconds: UInt64,
  _ error: UnsafeMutablePointer<anteroom_error>?
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    try calling { () throws(LogError) in
      try log.set(value, forKey: key, expiresAfter: duration(milliseconds: expiresAfterMilliseconds))
    }
  }
}
