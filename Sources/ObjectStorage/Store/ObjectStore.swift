import StorageEngine
import Synchronization

/// A store in one file. Stores of one file in one process share one engine.
///
/// Methods that take no closure of the app, or only a query's, throw `StorageError`; those that run the app's code throw what it
/// throws as well. Reading in a cancelled task is `StorageError.cancelled`.
///
/// - Concurrency: reads take no lock and wait for nobody. Writes of all processes come one after another; one waits for another
///   process no longer than `StorageConfiguration.lockTimeout`.
public actor ObjectStore {
  /// How the store is opened.
  public nonisolated let configuration: StorageConfiguration
  private nonisolated let opened = Mutex<OpenCore?>(nil)
  private var report: OpenReport?

  /// Nothing is opened yet.
  public init(configuration: StorageConfiguration) { self.configuration = configuration }

  /// Opens the store, and makes or migrates it if need be. Idempotent.
  ///
  /// - Returns: what opening did; for a store that is open already, what it did then.
  /// - Throws: what is wrong with the file, the key, the place or the schema. Nothing was changed then, except by `corruptionPolicy`.
  /// - Concurrency: waits for another process's write no longer than `lockTimeout`, and only when something has to be written.
  @discardableResult
  public func open() async throws(StorageError) -> OpenReport {
    if let report, opened.withLock({ $0 != nil }) { return report }
    let (core, report) = try StoreOpening(configuration).open()
    opened.withLock { $0 = OpenCore(core) }
    self.report = report
    return report
  }

  /// Views and snapshots that are held stay good. Every later call but `open` and `close` throws `storeNotOpen`.
  public func close() async {
    opened.withLock { $0 = nil }
    report = nil
  }

  /// Gives up locks within 100 ms. A write under way rolls back and throws `suspended`, as do new ones; reads of versions that are
  /// held go on. Not isolated, so that a busy store hears it at once.
  public nonisolated func suspend() { opened.withLock { $0 }?.core.engine.suspend() }
  /// Lets writes go on.
  /// - Throws: `storeNotOpen`.
  public nonisolated func resume() throws(StorageError) { try core().engine.resume() }

  nonisolated var isOpen: Bool { opened.withLock { $0 != nil } }

  package nonisolated func core() throws(StorageError) -> StoreCore {
    guard let opened = opened.withLock({ $0 }) else { throw .storeNotOpen }
    return opened.core
  }
  nonisolated func reader() throws(StorageError) -> StoreReader {
    if Task.isCancelled { throw .cancelled }
    return try core().reader()
  }
}

/// The core of a store that is open, counted for as long as it is.
private final class OpenCore: Sendable {
  let core: StoreCore

  init(_ core: StoreCore) {
    self.core = core
    core.engine.storeCount.add(1, ordering: .relaxed)
  }
  deinit { core.engine.storeCount.subtract(1, ordering: .relaxed) }
}
