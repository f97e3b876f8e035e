/// The figures of `stat --format prometheus`. Names, units and labels are part of the tool's contract with who monitors: one is never
/// changed, only added.
struct Metric: Sendable {
  let name: String
  let help: String

  static let mailbox = [
    pendingRecords, pendingBytes, oldestPending, mailboxRecords, segments, mailboxBytes, mailboxDamage,
  ]
  static let log = [
    logBytes, logRecords, logRecordBytes, logIndexBytes, lastSequence, lastChange, logDamage, keys, expiringKeys, liveBytes,
  ]
  static let store = [storeBytes, pageBytes, version, lastCommit, pages, freePages, objects]

  static let pendingRecords = Metric("mailbox_pending_records", "Records that wait to be drained.")
  static let pendingBytes = Metric("mailbox_pending_bytes", "Bytes of the records that wait to be drained.")
  static let oldestPending = Metric(
    "mailbox_oldest_pending_timestamp_seconds",
    "When the oldest waiting record was appended, in seconds since 1970; absent when none waits.")
  static let mailboxRecords = Metric("mailbox_records", "Records in the segments, acknowledged ones too.")
  static let segments = Metric("mailbox_segments", "Segment files that can be read.")
  static let mailboxBytes = Metric("mailbox_file_bytes", "Bytes of the segment files.")
  static let mailboxDamage = Metric(
    "mailbox_damaged_ranges", "Stretches of bytes that hold no good record, and segments that can't be read.")

  static let logBytes = Metric("log_file_bytes", "Bytes of the file.")
  static let logRecords = Metric("log_records", "Records in the file, dead ones and indexes too.")
  static let logRecordBytes = Metric("log_record_bytes", "Bytes of the records in the file.")
  static let logIndexBytes = Metric("log_index_bytes", "Bytes of the indexes in the file.")
  static let lastSequence = Metric("log_last_sequence", "The number of the last change.")
  static let lastChange = Metric("log_last_change_timestamp_seconds", "When the last change was made, in seconds since 1970.")
  static let logDamage = Metric("log_damaged_ranges", "Stretches of bytes that hold no good record.")
  static let keys = Metric("log_keys", "Keys that have a value; absent when the key of an encrypted log wasn't given.")
  static let expiringKeys = Metric("log_expiring_keys", "Keys whose value will expire; absent as log_keys is.")
  static let liveBytes = Metric("log_live_bytes", "Bytes of the records that are live; absent as log_keys is.")

  static let storeBytes = Metric("store_file_bytes", "Bytes of the file.")
  static let pageBytes = Metric("store_page_bytes", "Bytes of a page.")
  static let version = Metric("store_version", "The newest version; absent when the key of an encrypted store wasn't given.")
  static let lastCommit = Metric(
    "store_commit_timestamp_seconds", "When the newest version was committed, in seconds since 1970; absent as above.")
  static let pages = Metric("store_pages", "Pages of the newest version; absent as above.")
  static let freePages = Metric("store_free_pages", "Free pages of the newest version; absent as above.")
  static let objects = Metric("store_objects", "Objects of the type that the label names; absent as above.")

  private init(_ name: String, _ help: String) {
    self.name = "anteroom_" + name
    self.help = help
  }
}
