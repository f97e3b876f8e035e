package import Sealing

/// What a store's pages are sealed with.
package enum EngineKey: Sendable {
  case none
  /// 32 or 64 bytes.
  case secret(SecretBytes)
  /// Stretched with Argon2id; the parameters stand in the file, and larger ones than `kibibytesMax` are refused.
  case passphrase([UInt8], kibibytesMax: Int)
}

/// What a commit survives once it has returned.
package enum EngineDurability: UInt8, Sendable {
  case powerLoss
  /// A loss of power may undo the last commits, never their order.
  case ordered
  case processCrash
}

/// How a file is opened.
package struct EngineOptions: Sendable {
  package var key: EngineKey = .none
  package var createsIfMissing = true
  package var isReadOnly = false
  /// Of a new file; a power of two, 4,096 to 16,384. Below that for tests of small trees.
  package var pageByteCount = PageGeometry.pageByteCountDefault
  /// Of decrypted pages, and of copies where nothing may be mapped.
  package var pageCacheByteCountMax = 32 << 20
  /// What a transaction keeps in memory before it spills.
  package var dirtyPageByteCountMax = 16 << 20
  package var fileByteCountMax: UInt64?
  /// Whether plain pages are read through mappings.
  package var mapsPages = true
  /// Without a trace: no lock file is written, pages are read with `pread`, and one that was reused meanwhile is `snapshotLost`.
  package var isInspecting = false
  /// Inspecting, whether a page of another transaction may have been reused. Who knows that nobody has committed meanwhile sets it to false:
  /// then it is damage.
  package var expectsReuse = true
  package var lockTimeout: Duration = .seconds(5)
  package var fileMode: UInt32 = 0o600
  package var nonceObserver: NonceObserver?

  package init() {}

  var reportsReuse: Bool { isInspecting && expectsReuse }
}
