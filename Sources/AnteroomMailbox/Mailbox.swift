public import CAnteroomMailbox
import MailboxLog

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_open(
  _ directory: UnsafePointer<CChar>!, _ options: UnsafePointer<anteroom_options>!,
  _ mailbox: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    guard let mailbox = unsafe mailbox else { throw .missingArgument }
    unsafe mailbox.pointee = nil
    let directory = try unsafe text(directory)
    let options = try unsafe LogOptions(options)
    let writer = try calling { () throws(LogError) in try MailboxWriter(directory: directory, options: options) }
    unsafe mailbox.pointee = Handle.give(writer)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_append(
  _ mailbox: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ payload: UnsafeRawPointer!, _ byte_count: Int,
  _ timeout_ms: UInt32, _ position: UnsafeMutablePointer<anteroom_position>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    let writer = try unsafe Handle<MailboxWriter>.borrow(mailbox)
    let id = try unsafe text(id)
    let timeout = duration(milliseconds: UInt64(timeout_ms))
    let appended = try unsafe withBytes(payload, byte_count) { payload throws(CallError) in
      try calling { () throws(LogError) in try writer.append(id: id, payload: payload, timeout: timeout) }
    }
    unsafe store(anteroom_position(appended), position)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_append_fields(
  _ mailbox: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ schema_version: UInt32, _ fields: OpaquePointer!,
  _ timeout_ms: UInt32, _ position: UnsafeMutablePointer<anteroom_position>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    let writer = try unsafe Handle<MailboxWriter>.borrow(mailbox)
    let id = try unsafe text(id)
    let given = try unsafe Handle<FieldsBox>.borrow(fields)
    if let fault = given.fault { throw fault }
    let timeout = duration(milliseconds: UInt64(timeout_ms))
    let appended = try calling { () throws(LogError) in
      try writer.append(id: id, schemaVersion: schema_version, timeout: timeout) { $0 = given.fields }
    }
    unsafe store(anteroom_position(appended), position)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_pending_count(
  _ mailbox: OpaquePointer!, _ count: UnsafeMutablePointer<UInt64>!, _ error: UnsafeMutablePointer<anteroom_error>!
) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    let writer = try unsafe Handle<MailboxWriter>.borrow(mailbox)
    unsafe store(UInt64(try calling { () throws(LogError) in try writer.pendingCount }), count)
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_synchronize(_ mailbox: OpaquePointer!, _ error: UnsafeMutablePointer<anteroom_error>!) -> Int32 {
  unsafe call(error) { () throws(CallError) in
    let writer = try unsafe Handle<MailboxWriter>.borrow(mailbox)
    try calling { () throws(LogError) in try writer.synchronize() }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_mailbox_close(_ mailbox: OpaquePointer!) { unsafe Handle<MailboxWriter>.take(mailbox)?.close() }

extension anteroom_position {
  init(_ position: MailboxPosition) {
    self.init(segment_high: position.segment.high, segment_low: position.segment.low, sequence: position.sequence)
  }
}
