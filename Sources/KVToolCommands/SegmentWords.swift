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

  var indexBlock: UInt64? { values["indexblock"] }
  var liveByteCount: UInt64? { values["livebytes"] }
  /// Microseconds since 1970.
  var lastAppendTime: UInt64? { values["lastappendtime"].map { $0 << 6 } }

  /// What the words say against themselves and the file.
  func check(_ segment: SegmentInspection, _ findings: Findings) throws {
    func add(_ range: Range<UInt64>?, _ sentence: String) throws { try findings.add(segment.path, range, sentence) }
    for word in damaged { try add(word.offset..<word.offset + 8, "the word '\(word.name)' fails its check") }
    guard let committed = committedEnd else { return }
    if committed > segment.fileByteCount {
      try add(segment.fileByteCount..<committed, "cut off: records are committed up to here, and the file ends before")
    }
    if let consumed = consumedEnd, consumed > committed {
      try add(nil, "consumed up to byte \(consumed), beyond the committed end at \(committed)")
    }
    if let synced = syncedEnd, synced > committed {
      try add(nil, "synced up to byte \(synced), beyond the committed end at \(committed)")
    }
  }

  private static func normalized(_ name: String) -> String {
    String(
      decoding: name.utf8.compactMap { byte in (65...90).contains(byte) ? byte + 32 : (97...122).contains(byte) ? byte : nil },
      as: UTF8.self)
  }
}
