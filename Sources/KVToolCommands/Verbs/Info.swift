import MailboxLog

/// `info`: what a mailbox or a segment is, from its own bytes.
enum Info {
  static let command = Command(
    name: "info", summary: "print kind, version, ids, sizes and counts", operands: [.mailbox], formats: [.text, .json],
    keyUse: .optional, details: "Needs no key: counts, sizes and times show without one. A key that is given is checked.",
    handler: run,
    store: StoreForm(
      operands: [.store], formats: [.text, .json], keyUse: .optional,
      details: "An encrypted store shows its format, ids and sizes without a key, and versions, pages and counts with one.",
      handler: StoreInfo.run),
    log: LogInfo.form)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let target = try invocation.target()
    let key = try KeySource(invocation.arguments)?.key(invocation.system)
    let isFile = target.isFile
    // Nothing is printed of a file that is nobody's.
    if isFile { _ = try target.segment() }
    let facts = FactPrinter(invocation)
    var (totals, segmentCount): (SegmentTotals, Int) = (SegmentTotals(), 0)
    try facts.open(nil)
    try facts.add("path", target.path)
    try facts.add("kind", isFile ? "segment" : "mailbox")
    if !isFile { try facts.openList("segments") }
    for path in try target.segmentPaths() {
      try ToolFailure.checkInterruption()
      do {
        let segment = try SegmentInspection(path: path, key: key)
        if let fault = segment.headerFault {
          try describeDamage(path, segment.stateName, fault, facts)
          continue
        }
        var own = SegmentTotals()
        try own.add(segment)
        totals.add(own)
        segmentCount += 1
        try describe(segment, own, facts, isFile: isFile)
      } catch let error as LogError where !isFile && ToolFailure.code(error) == .badData {
        try describeDamage(path, nil, ToolFailure(error).message ?? "", facts)
      }
    }
    if !isFile {
      try facts.closeList()
      try facts.add("segmentCount", number: UInt64(segmentCount))
      try totals.describe(facts)
    }
    try facts.close()
    return .success
  }

  private static func describeDamage(_ path: String, _ state: String?, _ sentence: String, _ facts: FactPrinter) throws {
    try facts.open(path)
    if let state { try facts.add("state", state) }
    try facts.add("damage", sentence)
    try facts.close()
  }

  private static func describe(_ segment: SegmentInspection, _ totals: SegmentTotals, _ facts: FactPrinter, isFile: Bool) throws {
    if !isFile { try facts.open(segment.path) }
    try facts.add("formatVersion", number: UInt64(segment.formatVersion))
    try facts.add("segmentID", PositionText.text(segment.segmentID))
    try facts.add("isEncrypted", flag: segment.isEncrypted)
    try facts.add("state", segment.stateName)
    try totals.describe(facts)
    try facts.openGroup("words")
    for word in segment.words() {
      if let value = word.value { try facts.add(word.name, number: value) } else { try facts.add(word.name, "damaged") }
    }
    try facts.close()
    if isFile {
      try facts.openGroup("header")
      for field in segment.headerFields() { try facts.add(field.name, field.value) }
      try facts.close()
    }
    if !isFile { try facts.close() }
  }
}
