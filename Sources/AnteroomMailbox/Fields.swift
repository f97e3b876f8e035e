import CAnteroomMailbox
import MailboxLog

/// Fields while C sets them.
final class FieldsBox {
  var fields = MailboxFields()
  /// What is wrong with a text; what is wrong with a field otherwise, the append finds.
  private(set) var fault: CallError?

  static func set(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ body: (inout MailboxFields, String) throws(CallError) -> Void
  ) {
    guard let box = unsafe try? Handle<FieldsBox>.borrow(handle) else { return }
    do throws(CallError) { try body(&box.fields, unsafe text(name)) } catch let fault { box.fault = fault }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_new() -> OpaquePointer! { unsafe Handle.give(FieldsBox()) }

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_string(
  _ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in fields.set(name, try unsafe text(value)) }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_bytes(
  _ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ byte_count: Int
) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in
    try unsafe withBytes(value, byte_count) { bytes throws(CallError) in fields.set(name, bytes) }
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_int64(_ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: Int64) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in fields.set(name, value) }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_uint64(_ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UInt64) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in fields.set(name, value) }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_double(_ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: Double) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in fields.set(name, value) }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_bool(_ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: Bool) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in fields.set(name, value) }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_set_time(_ fields: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ seconds_since_1970: Double) {
  unsafe FieldsBox.set(fields, name) { fields, name throws(CallError) in
    fields.set(name, LogTimestamp(secondsSinceReferenceDate: seconds_since_1970 - 978_307_200))
  }
}

/// For C, as the header says.
@c @implementation
public func anteroom_fields_free(_ fields: OpaquePointer!) { _ = unsafe Handle<FieldsBox>.take(fields) }
