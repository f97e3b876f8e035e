import MailboxLog
import RawMemory
import Sealing
import StorageIO

/// The records of a key-value log as it was when it was opened, one at a time, without a lock and without changing anything.
///
/// The file is read through `pread` and never mapped: nothing that happens to it meanwhile can fault, and memory is bounded by the record
/// and, where live entries are wanted, `KeyOffsets`.
final class LogSource {
  let path: String
  let inspection: SegmentInspection
  let key: EncryptionKey?
  let notes: DamageNotes
  private let hash = KeyedHash(key: SecretBytes.random(count: KeyedHash.keyByteCount))
  private var newest = KeyOffsets()
  private var clearedEnd: UInt64 = 0
  /// What was added after this walk's beginning isn't of it.
  private var end: UInt64 = 0
  private var isIndexed = false
  /// The moment that decides which entries have expired.
  private let now: Int64

  /// - Throws: what is wrong with the key; with a header that can't be trusted.
  convenience init(_ invocation: Invocation, _ notes: DamageNotes? = nil) throws {
    let (key, inspection) = try invocation.withKey { key in (key, try Self.open(invocation.path, key)) }
    self.init(inspection, key, notes ?? DamageNotes(path: invocation.path), invocation.system)
  }

  init(_ inspection: SegmentInspection, _ key: EncryptionKey?, _ notes: DamageNotes, _ system: SystemCalls) {
    path = inspection.path
    self.inspection = inspection
    self.key = key
    self.notes = notes
    now = system.realtimeMicroseconds()
  }

  /// Opens a log for its records: with a whole header, and with the key where it has one.
  static func open(_ path: String, _ key: EncryptionKey?) throws -> SegmentInspection {
    let inspection = try SegmentInspection(path: path, key: key, isLog: true)
    if let fault = inspection.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
    if inspection.isEncrypted, key == nil { throw LogError.keyRequired }
    return inspection
  }

  /// Every good committed record in the order of the file, dead ones too. What can't be read is noted the first time.
  func forEachRecord(isQuiet: Bool = false, _ body: (borrowing LogRecord) throws -> Void) throws {
    try inspection.forEachItem { item in
      try ToolFailure.checkInterruption()
      if item.isBeyondCommittedEnd { return }
      if let reason = item.badReason {
        if !isQuiet { notes.add("\(PositionText.bytes(item.range)): \(reason)") }
        return
      }
      try item.withRecord { record in
        if let failure = record.openingFailure {
          if failure == .wrongKey || failure == .keyRequired { throw failure }
          if !isQuiet { notes.add("\(PositionText.bytes(record.range)): \(failure.description)") }
          return
        }
        try body(record)
      }
    }
  }

  /// Every stretch below the committed end that holds no good record.
  func forEachDamage(_ body: (Range<UInt64>, String) throws -> Void) throws {
    try inspection.forEachItem { item in
      if item.isBeyondCommittedEnd { return }
      if let reason = item.badReason { return try body(item.range, reason) }
      let failure = try item.withRecord { $0.openingFailure }
      if let failure, failure != .keyRequired { try body(item.range, failure.description) }
    }
  }

  /// The entries that are live at the moment of opening, in the order in which they were set.
  func forEachLive(_ body: (borrowing LogRecord) throws -> Void) throws {
    try index()
    try untilEndOfWalk {
      try forEachRecord(isQuiet: true) { record in
        if record.range.lowerBound >= end { throw EndOfWalk() }
        if try isLive(record) { try body(record) }
      }
    }
  }

  private func index() throws {
    if isIndexed { return }
    try forEachRecord { record in
      end = record.range.upperBound
      switch record.kind {
      case .set, .remove: newest.set(try record.withKey { hash($0) }, record.range.lowerBound)
      case .removeAll:
        newest.removeAll()
        clearedEnd = record.range.upperBound
      case .index: break
      }
    }
    isIndexed = true
  }

  private func isLive(_ record: borrowing LogRecord) throws -> Bool {
    guard record.kind == .set, record.range.lowerBound >= clearedEnd, !record.isExpired(at: now) else { return false }
    return newest.offset(try record.withKey { hash($0) }) == record.range.lowerBound
  }

  /// The live record of one key: a walk that keeps nothing.
  /// - Returns: whether there is one, and `body` was run on it.
  func withRecord(_ key: [UInt8], _ body: (borrowing LogRecord) throws -> Void) throws -> Bool {
    var found: UInt64?
    try forEachRecord { record in
      if record.kind == .removeAll { found = nil }
      guard record.kind == .set || record.kind == .remove, try record.hasKey(key) else { return }
      found = record.kind == .set && !record.isExpired(at: now) ? record.range.lowerBound : nil
    }
    guard let found else { return false }
    var isDone = false
    try untilEndOfWalk {
      try forEachRecord(isQuiet: true) { record in
        guard record.range.lowerBound == found else { return }
        try body(record)
        isDone = true
        throw EndOfWalk()
      }
    }
    return isDone
  }

  /// Ends a listing. - Returns: 0, or 2 when something was left out.
  func finish() -> ExitCode {
    // A file that ends before its committed end was cut, be it between two records.
    if let committed = SegmentWords(inspection).committedEnd, committed > inspection.fileByteCount {
      notes.add("cut off at byte \(inspection.fileByteCount); records were committed up to byte \(committed)")
    }
    return notes.finish()
  }
}

extension LogRecord {
  /// The same moment in every process: by the clock alone.
  func isExpired(at now: Int64) -> Bool { expiresAt != 0 && expiresAt <= now }
  func hasKey(_ key: [UInt8]) throws -> Bool { try withKey { $0.count == key.count } && hasKey(prefix: key) }
  func hasKey(prefix: [UInt8]) throws -> Bool {
    if prefix.isEmpty { return true }
    return try withKey { key in key.count >= prefix.count && prefix.indices.allSatisfy { key[$0] == prefix[$0] } }
  }
  /// The value with its type; nil when the bytes are none, or the type isn't known.
  func fieldValue() throws -> FieldValue? { try type.flatMap { type in try withValue { FieldValue(type, $0) } } }
  var typeName: String { type.map(FieldValue.typeName) ?? "unknown" }
}
