import MailboxLog
import ObjectStorage
import StorageEngine

/// `info` on a store: what it is, from its own bytes.
enum StoreInfo {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    let inspection = try StoreInspection(invocation.system, path: invocation.path)
    // Without its key an encrypted store still says what it is.
    let hasKey = try KeySource(invocation.arguments) != nil
    guard hasKey || !inspection.isSealed else {
      let facts = FactPrinter(invocation)
      try facts.open(nil)
      try describe(inspection, invocation.path, facts)
      try facts.close()
      return .success
    }
    return try StoreFile.read(invocation) { store in
      let facts = FactPrinter(invocation)
      let snapshot = try store.engine.snapshot()
      try facts.open(nil)
      try describe(inspection, invocation.path, facts)
      try facts.add("version", number: snapshot.version)
      try facts.add("committed", TimestampText.text(microseconds: snapshot.commitTime))
      try facts.add("schemaVersion", number: store.reader.view.version)
      try facts.add("typeCount", number: UInt64(store.types.count))
      var objectCount: UInt64 = 0
      for type in store.types { objectCount += try store.count(type) }
      try facts.add("objectCount", number: objectCount)
      try facts.add("pageCount", number: UInt64(snapshot.pageCount))
      try facts.add("freePageCount", number: snapshot.freePageCount)
      let lock = try LockInspection.read(invocation.system, path: invocation.path + ".lock", fileID: inspection.fileID)
      let processes = Set((lock?.holders ?? []).filter { $0.state != .dead }.map(\.process))
      try facts.add("processCount", number: UInt64(processes.count))
      try facts.close()
      return .success
    }
  }

  static func describe(_ inspection: StoreInspection, _ path: String, _ facts: FactPrinter) throws {
    try facts.add("path", path)
    try facts.add("kind", "store")
    try facts.add("formatVersion", number: UInt64(inspection.formatVersion))
    try facts.add("storeID", Hexadecimal.text(inspection.fileID))
    try facts.add("isEncrypted", flag: inspection.isSealed)
    if inspection.usesPassphrase { try facts.add("usesPassphrase", flag: true) }
    try facts.add("pageByteCount", number: UInt64(inspection.pageByteCount))
    try facts.add("fileByteCount", number: inspection.fileByteCount)
  }
}
