import MailboxLog

/// The mutable words of a segment, by name, whatever case and spaces the names are written with.
struct SegmentWords {
  private var values: [String: UInt64] = [:]
  /// Names and offsets of the words whose check fails.
  private(set) var damaged: [(name: String, offset: UInt64)] = []

  init(_ segment: SegmentInspection) {
    for word in segment.words() {
      if let value = word.value { values[Self.normalized(word.name)] = value } else { damaged.append((word.name, word.offset)) }
    }
  }

  var committedEnd: UInt64? { values["committedend"] }
  var lastSequence: UInt64? { values["lastsequence"] }
  var consumedEnd: UInt64? { values["consumedend"] }
  var syncedEnd: UInt64? { values["syncedend"] }

  private static func normalized(_ name: String) -> String {
    String(
      decoding: name.utf8.compactMap { byte in (65...90).contains(byte) ? byte + 32 : (97...122).contains(byte) ? byte : nil },
      as: UTF8.self)
  }
}
