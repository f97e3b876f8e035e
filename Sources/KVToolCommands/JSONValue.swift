/// A value of JSON. Texts are bytes, numbers are as they were written, and names of an object keep their order.
enum JSONValue {
  case null
  case bool(Bool)
  case number(String)
  case string([UInt8])
  case array([JSONValue])
  case object([(name: [UInt8], value: JSONValue)])

  /// The values under a name; more than one when a name comes twice.
  func values(_ name: String) -> [JSONValue] {
    guard case .object(let members) = self else { return [] }
    return members.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
  }
}

/// What is wrong with a line, in words.
struct MalformedLine: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
