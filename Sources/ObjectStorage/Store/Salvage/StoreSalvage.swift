import RawMemory
import StorageEngine
import StorageIO

/// Saves the readable rows of a damaged store into a new one, and makes its indexes anew.
struct StoreSalvage {
  private let reader: StoreReader
  private let path: String
  private var report = SalvageReport()

  init(_ reader: StoreReader, to path: String) {
    self.reader = reader
    self.path = path
  }

  /// The new store is filled under another name, which a salvage that was killed leaves behind and the next one removes; what gets the name that
  /// was asked for is a copy of it, whole.
  mutating func run(timeout: Duration) throws(StorageError) -> SalvageReport {
    if StoreFiles(path).exists { throw .fileExists(path: path) }
    let scratch = path + ".salvaging"
    try StoreFiles(scratch).removeUnused(timeout: timeout)
    defer {
      try? StoreFiles(scratch).remove()
      try? StoreFiles(scratch + ".lock").remove()
    }
    let own = reader.core.engine.options
    var options = EngineOptions()
    options.key = own.key
    options.dirtyPageByteCountMax = own.dirtyPageByteCountMax
    options.pageCacheByteCountMax = own.pageCacheByteCountMax
    options.pageByteCount = reader.core.engine.pageByteCount
    let engine = try storing { () throws(EngineError) in try Engine.open(path: scratch, options: options) }
    try fill(engine)
    try storing { () throws(EngineError) in try engine.writeCopy(to: path, key: own.key) }
    return report
  }

  private mutating func fill(_ engine: Engine) throws(StorageError) {
    let core = StoreCore(engine, models: [])
    let transaction = try storing { () throws(EngineError) in try engine.begin() }
    do throws(StorageError) {
      let box = try TransactionBox(core, transaction)
      defer { box.end() }
      for name in [TreeName.schema, TreeName.rowNumbers, TreeName.ledger] { _ = try copy(name, "entries of the \(name)", to: box) }
      box.use(reader.view)
      for (_, type) in reader.view.types.sorted(by: { $0.key < $1.key }) {
        report.savedObjectCounts[type.name] = try copy(type, to: box)
        for index in type.indexes { try RowEditor(box, type).build(index) }
      }
    } catch {
      transaction.abort()
      throw error
    }
    _ = try storing { () throws(EngineError) in try transaction.commit(.powerLoss, isForced: true) }
  }

  private mutating func copy(_ type: TypeAccess, to box: TransactionBox) throws(StorageError) -> Int {
    var last: [UInt8] = []
    let count = try copy(type.rowsName, "objects of \(type.name)", to: box) { key, row in
      do throws(RowError) {
        _ = try RowCheck.check(row.span.raw, schema: type.schema)
        last = key
        return nil
      } catch { return "\(StorageError(error))" }
    }
    if type.schema.primaryKeyColumn == nil, last.count == 8 {
      // A number is never used again, also where what said so is lost.
      let name = TreeName.nextRow(type.schema.typeID)
      let next = max(last.reduce(0) { $0 << 8 | UInt64($1) } + 1, try box.value(name, in: TreeName.rowNumbers).map(uint64) ?? 1)
      let bytes = bytes(next)
      try box.put(name, bytes.span.raw, in: TreeName.rowNumbers)
    }
    return count
  }

  /// - Parameter check: says why an entry is of no use.
  /// - Returns: how many entries were saved.
  private mutating func copy(
    _ name: String, _ what: String, to box: TransactionBox, check: ([UInt8], [UInt8]) -> String? = { _, _ in nil }
  ) throws(StorageError) -> Int {
    var count = 0
    var losses: [String] = []
    do throws(StorageError) {
      guard let tree = try reader.tree(name) else { return 0 }
      var entries = ReadableEntries(tree) { start, count, reason in
        losses.append("\(count) \(what) from number \(start) on: \(reason)")
      }
      try entries.forEach { key, value throws(StorageError) in
        if let reason = check(key, value) { return reason }
        try box.put(key, value.span.raw, over: nil, in: name)
        count += 1
        return nil
      }
    } catch {
      guard case .corrupted = error else { throw error }
      losses.append("\(what): \(error)")
    }
    report.lostRanges += losses
    return count
  }
}
