import RawMemory
import StorageIO
import Synchronization

extension Engine {
  /// Compaction of a store in memory: what is in use goes to other memory, and what it had goes with its last reader.
  ///
  /// Nobody but this process can see the store, so the writer's lock is held throughout and nothing has to survive.
  func compactInMemory(_ progress: (UInt64, UInt64) -> Bool) throws(EngineError) {
    let transaction = try begin()
    defer { transaction.abort() }
    let source = try snapshot()
    let file = try EngineCreation.makeInMemory(system, header: header, options: options)
    let id = lockFile.takeTransactionID()
    let opening = try EngineOpening(copying: file, path: path, options: options, header: header, system: system, nextID: id)
    let target = try Engine(opening).begin()
    do throws(EngineError) {
      try EngineCopy.copyTrees(of: source, to: target, progress: progress)
    } catch {
      target.abort()
      throw error
    }
    _ = try target.commit(.powerLoss, isForced: true)
    let metas = try MetaPages.read(file, header: header, cipher: cipher)
    guard let newest = metas.pages.first(where: { $0.id == id }) else {
      throw .corrupted(page: 0, reason: "a copy lost its meta page")
    }
    state.withLock { state in
      state.pages = pageFile(file)
      state.newest = newest
      state.slotVersions = metas.slotVersions
      // Inside: a reader that saw one of the two without the other would look for its version in the wrong memory.
      lockFile.publish(id)
      lockFile.setDurable(id)
    }
    allocatedByteCount = 0
  }
}
