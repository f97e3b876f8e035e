public import CAnteroomMailbox
import MailboxLog

/// For C, as the header says.
@c @implementation
public func anteroom_log_get_int64(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafeMutablePointer<Int64>!,
  _ is_found: UnsafeMutablePointer<Bool>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe get(log, key, value, is_found, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_get_double(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafeMutablePointer<Double>!,
  _ is_found: UnsafeMutablePointer<Bool>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe get(log, key, value, is_found, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_get_bool(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafeMutablePointer<Bool>!,
  _ is_found: UnsafeMutablePointer<Bool>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe get(log, key, value, is_found, error)
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_get_bytes(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ buffer: UnsafeMutableRawPointer!, _ capacity: Int,
  _ byte_count: UnsafeMutablePointer<Int>!, _ is_found: UnsafeMutablePointer<Bool>!,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    unsafe store(false, is_found)
    var isTooSmall = false
    let found: Void? = try calling { () throws(LogError) in
      try log.withBytes(forKey: key) { bytes throws(LogError) in
        isTooSmall = unsafe !copy(bytes, buffer, capacity, byte_count)
      }
    }
    unsafe store(found != nil, is_found)
    if isTooSmall { throw .bufferTooSmall }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_get_string(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int,
  _ byte_count: UnsafeMutablePointer<Int>!, _ is_found: UnsafeMutablePointer<Bool>!,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    unsafe store(false, is_found)
    guard let text = try calling({ () throws(LogError) in try log.string(forKey: key) }) else { return }
    unsafe store(true, is_found)
    let bytes = Array(text.utf8)
    guard unsafe copy(bytes.span, UnsafeMutableRawPointer(buffer), capacity, byte_count) else { throw .bufferTooSmall }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_log_contains(
  _ log: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ is_found: UnsafeMutablePointer<Bool>!,
  _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    unsafe store(try calling { () throws(LogError) in try log.contains(key) }, is_found)
  }
}

private func get<Value: LogValue>(
  _ log: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafeMutablePointer<Value>?,
  _ isFound: UnsafeMutablePointer<Bool>?, _ error: UnsafeMutablePointer<anteroom_error>?
) -> Int32 {
  unsafe set(log, key, error) { log, key throws(CallError) in
    unsafe store(false, isFound)
    guard let found = try calling({ () throws(LogError) in try log.value(Value.self, forKey: key) }) else { return }
    unsafe store(found, value)
    unsafe store(true, isFound)
  }
}

/// - Returns: whether the bytes fitted; their count is stored either way.
private func copy(
  _ bytes: Span<UInt8>, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int, _ byteCount: UnsafeMutablePointer<Int>?
) -> Bool {
  unsafe store(bytes.count, byteCount)
  guard bytes.count <= capacity else { return false }
  guard let buffer = unsafe buffer else { return bytes.count == 0 }
  let place = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: bytes.count)
  for index in bytes.indices { unsafe place[index] = bytes[index] }
  return true
}
