/// One committed version, for as long as it is held: Sendable, takes no lock, blocks nobody, reads without `await`.
///
/// While it is held, the pages of its version aren't used again: `statistics()` lists it with its age and what it holds.
public struct StorageSnapshot: StorageReading, Sendable {
  let reader: StoreReader
  /// The version.
  public var version: StorageVersion { reader.version }

  /// Not part of the API.
  public func _reader() throws(StorageError) -> _StoreReader { _StoreReader(reader) }
}
