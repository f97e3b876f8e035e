import RawMemory
import StorageEngine

/// A table of bytes that commits with the objects: promotion's ledger.
extension WriteTransaction {
  package func ledgerBytes(forKey key: [UInt8]) throws(StorageError) -> [UInt8]? {
    try box.checkOpen()
    return try box.value(key, in: TreeName.ledger)
  }

  package func setLedgerBytes(_ value: [UInt8]?, forKey key: [UInt8]) throws(StorageError) {
    try box.checkOpen()
    if let value {
      try box.put(key, value.span.raw, in: TreeName.ledger)
    } else {
      try box.delete(key, in: TreeName.ledger)
    }
  }

  /// In the order of the keys, until `body` returns false; it doesn't write.
  package func forEachLedgerEntry(from lowerBound: [UInt8], _ body: ([UInt8], [UInt8]) throws -> Bool) throws {
    try box.checkOpen()
    var cursor = try box.tree(TreeName.ledger).cursor()
    var isThere = try storing { () throws(EngineError) in try cursor.seek(to: lowerBound.span.raw) }
    while isThere {
      let key = cursor.key
      let value = try storing { () throws(EngineError) in try cursor.withValue { value throws(EngineError) in value.copied() } }
      if !(try body(key, value)) { return }
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
  }
}
