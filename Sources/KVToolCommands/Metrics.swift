import MailboxLog
import ObjectStorage
import StorageEngine

/// Prints `Metric`s in the text format of Prometheus, each a gauge with the path as a label.
struct Metrics {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation) {
    self.invocation = invocation
    output = invocation.output
  }

  /// Of a mailbox or one of its segments. No key is needed.
  func addMailbox() throws -> ExitCode {
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let target = try invocation.target()
    var (totals, segmentCount, lostCount) = (SegmentTotals(), 0, 0)
    for path in try target.segmentPaths() {
      do {
        let segment = try SegmentInspection(path: path, key: key)
        if let fault = segment.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
        try totals.add(segment)
        segmentCount += 1
      } catch let error as LogError where !target.isFile && ToolFailure.code(error) == .badData {
        lostCount += 1
      }
    }
    try add(.pendingRecords, totals.pendingCount)
    try add(.pendingBytes, totals.pendingByteCount)
    if let oldest = totals.oldestPending { try add(.oldestPending, time: oldest) }
    try add(.mailboxRecords, totals.recordCount)
    try add(.segments, UInt64(segmentCount))
    try add(.mailboxBytes, totals.fileByteCount)
    try add(.mailboxDamage, totals.damagedRangeCount + UInt64(lostCount))
    return .success
  }

  /// - Parameter live: nil when the key of an encrypted log wasn't given.
  func add(_ inspection: SegmentInspection, _ totals: LogTotals, _ live: LiveTotals?) throws {
    try add(.logBytes, inspection.fileByteCount)
    try add(.logRecords, totals.recordCount)
    try add(.logRecordBytes, totals.recordByteCount)
    try add(.logIndexBytes, totals.indexByteCount)
    try add(.lastSequence, totals.lastSequence)
    if let newest = totals.newest { try add(.lastChange, microseconds: newest) }
    try add(.logDamage, totals.damagedRangeCount)
    guard let live else { return }
    try add(.keys, live.keyCount)
    try add(.expiringKeys, live.expiringCount)
    try add(.liveBytes, live.byteCount)
  }

  func addStore() throws -> ExitCode {
    let inspection = try StoreInspection(invocation.system, path: invocation.path)
    func addSizes() throws {
      try add(.storeBytes, inspection.fileByteCount)
      try add(.pageBytes, UInt64(inspection.pageByteCount))
    }
    if inspection.isSealed, try KeySource(invocation.arguments) == nil {
      try addSizes()
      return .success
    }
    return try StoreFile.read(invocation) { store in
      let snapshot = try store.engine.snapshot()
      try addSizes()
      try add(.version, snapshot.version)
      try add(.lastCommit, microseconds: snapshot.commitTime)
      try add(.pages, UInt64(snapshot.pageCount))
      try add(.freePages, snapshot.freePageCount)
      try describe(.objects)
      for type in store.types { try sample(.objects, "\(try store.count(type))", ("type", type.name)) }
      return .success
    }
  }

  private func add(_ metric: Metric, _ value: UInt64) throws {
    try describe(metric)
    try sample(metric, "\(value)")
  }
  private func add(_ metric: Metric, time: LogTimestamp) throws {
    try describe(metric)
    try sample(metric, "\(time.secondsSinceReferenceDate + 978_307_200)")
  }
  private func add(_ metric: Metric, microseconds: Int64) throws {
    try describe(metric)
    try sample(metric, "\(Double(microseconds) / 1e6)")
  }

  private func describe(_ metric: Metric) throws {
    try output.line("# HELP \(metric.name) \(metric.help)")
    try output.line("# TYPE \(metric.name) gauge")
  }

  private func sample(_ metric: Metric, _ value: String, _ more: (name: String, value: String)...) throws {
    let labels = ([(name: "path", value: invocation.path)] + more).map { "\($0.name)=\"\(Self.label($0.value))\"" }
    try output.line("\(metric.name){\(labels.joined(separator: ","))} \(value)")
  }

  /// Backslashes, quotes and line ends are escaped, as the format says; other controls as everywhere in this tool.
  static func label(_ text: String) -> String {
    var label = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": label += "\\\\"
      case "\"": label += "\\\""
      case "\n": label += "\\n"
      default:
        guard UTF8Scalars.isHidden(scalar.value) else {
          label.unicodeScalars.append(scalar)
          continue
        }
        for character in printable(String(scalar)) { label += character == "\\" ? "\\\\" : String(character) }
      }
    }
    return label
  }
}
