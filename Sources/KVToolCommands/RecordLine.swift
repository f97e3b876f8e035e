import MailboxLog

/// A record to append, as a line of a dump or the arguments of `append` give it.
struct RecordLine {
  let id: String
  let value: Value
  var schemaVersion: UInt32 = 0

  enum Value {
    case payload([UInt8])
    case fields([(name: String, value: FieldValue)])
  }

  /// Bytes of id and value, about what the record will take.
  var byteCount: Int {
    switch value {
    case .payload(let bytes): id.utf8.count + bytes.count
    case .fields(let fields): fields.reduce(id.utf8.count) { $0 + $1.name.utf8.count + $1.value.byteCount + 8 }
    }
  }

  @discardableResult
  func append(to writer: MailboxWriter) throws(LogError) -> MailboxPosition {
    switch value {
    case .payload(let bytes): try writer.append(id: id, payload: bytes)
    case .fields(let fields):
      try writer.append(id: id, schemaVersion: schemaVersion) { target in
        for field in fields { field.value.set(field.name, in: &target) }
      }
    }
  }

  func append(to batch: inout MailboxBatch) {
    switch value {
    case .payload(let bytes): batch.append(id: id, payload: bytes)
    case .fields(let fields):
      batch.append(id: id, schemaVersion: schemaVersion) { target in
        for field in fields { field.value.set(field.name, in: &target) }
      }
    }
  }
}
