import MailboxLog

/// `info` on a log: what it is, from its own bytes.
enum LogInfo {
  static let form = FileForm(
    operands: [.log], formats: [.text, .json], keyUse: .optional,
    details: "An encrypted log shows all but the count of its keys without its key.", handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (inspection, source) = try open(invocation)
    let facts = FactPrinter(invocation)
    try facts.open(nil)
    try describe(inspection, try LogTotals(inspection), facts)
    if let source { try facts.add("keyCount", number: try LiveTotals(source).keyCount) }
    try facts.openGroup("words")
    for word in inspection.words() {
      if let value = word.value { try facts.add(word.name, number: value) } else { try facts.add(word.name, "damaged") }
    }
    try facts.close()
    try facts.openGroup("header")
    for field in inspection.headerFields() { try facts.add(field.name, field.value) }
    try facts.close()
    try facts.close()
    return .success
  }

  /// - Returns: no source for an encrypted log whose key wasn't given. Damage is counted, not told.
  static func open(_ invocation: Invocation) throws -> (SegmentInspection, LogSource?) {
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let inspection = try SegmentInspection(path: invocation.path, key: key, isLog: true)
    if let fault = inspection.headerFault { throw LogError.corrupted(offset: 0, reason: fault) }
    if inspection.isEncrypted, key == nil { return (inspection, nil) }
    let notes = DamageNotes(path: invocation.path, isQuiet: true)
    return (inspection, LogSource(inspection, key, notes, invocation.system))
  }

  static func describe(_ inspection: SegmentInspection, _ totals: LogTotals, _ facts: FactPrinter) throws {
    try facts.add("path", inspection.path)
    try facts.add("kind", "log")
    try facts.add("formatVersion", number: UInt64(inspection.formatVersion))
    try facts.add("logID", PositionText.text(inspection.segmentID))
    try facts.add("isEncrypted", flag: inspection.isEncrypted)
    try facts.add("state", inspection.stateName)
    try facts.add("created", TimestampText.text(microseconds: inspection.createdAt))
    try facts.add("fileByteCount", number: inspection.fileByteCount)
    try totals.describe(facts)
  }
}

/// `stat` on a log: where its bytes are.
enum LogStat {
  static let form = FileForm(
    operands: [.log], formats: [.text, .json, .prometheus], keyUse: .optional,
    details: """
      Of a log, bytes of live and of dead records and of indexes, entries by type and by the size of their values. An encrypted log needs
      its key for what is live.
      """,
    handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let (inspection, source) = try LogInfo.open(invocation)
    let totals = try LogTotals(inspection)
    let live = try source.map { try LiveTotals($0) }
    if invocation.format == .prometheus {
      try Metrics(invocation).add(inspection, totals, live)
      return .success
    }
    let facts = FactPrinter(invocation)
    try facts.open(nil)
    try LogInfo.describe(inspection, totals, facts)
    try facts.add("lastSequence", number: totals.lastSequence)
    if let live { try describe(live, totals, facts) }
    try facts.close()
    return .success
  }

  private static func describe(_ live: LiveTotals, _ totals: LogTotals, _ facts: FactPrinter) throws {
    try facts.add("keyCount", number: live.keyCount)
    try facts.add("expiringCount", number: live.expiringCount)
    try facts.add("liveByteCount", number: live.byteCount)
    try facts.add("deadByteCount", number: totals.recordByteCount - totals.indexByteCount - live.byteCount)
    try facts.openList("types")
    for name in live.types.keys.sorted() {
      guard let type = live.types[name] else { continue }
      try facts.open(name, as: "type")
      try facts.add("keyCount", number: type.count)
      try facts.add("valueByteCount", number: type.byteCount)
      try facts.close()
    }
    try facts.closeList()
    try facts.openGroup("valueSizes")
    for (index, count) in live.sizes.enumerated() where count > 0 {
      let isLast = index == LiveTotals.sizeLimits.count
      try facts.add(isLast ? "larger" : "up to \(LiveTotals.sizeLimits[index]) bytes", number: count)
    }
    try facts.close()
  }
}
