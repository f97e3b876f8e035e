import RawMemory
import Sealing
import StorageIO

/// Copies a version into a new file: entries in key order, so that pages are full and nothing is free.
struct EngineCopy {
  let source: Snapshot
  let directory: StorageDirectory
  /// Of the temporary file, in the directory of what it will be.
  let name: String
  let header: FileHeader
  let options: EngineOptions

  var path: String { directory.path(of: name) }

  init(_ source: Snapshot, directory: String, header: FileHeader, options: EngineOptions) throws(EngineError) {
    self.source = source
    self.header = header
    self.options = options
    let system = source.engine.system
    self.directory = StorageDirectory(
      system, path: directory, fileMode: options.fileMode, directoryMode: 0o700, forcesModes: false)
    let random = ByteBuffer(count: 8)
    guard system.random(random, 0..<8) >= 0 else { throw .system(SystemError(.random, 5), path: directory) }
    name = StorageDirectory.temporaryPrefix + hexadecimal(random.load(UInt64.self, at: 0))
  }

  /// Makes the temporary file, synced.
  ///
  /// - Parameters:
  ///   - id: of the version in the copy; every page is born in it.
  ///   - progress: entries done and in all; false cancels.
  /// - Returns: the file, locked: a temporary file that can be locked is litter.
  func make(id: TransactionID, progress: (UInt64, UInt64) -> Bool) throws(EngineError) -> StorageFile {
    let system = source.engine.system
    removeLitter()
    let file = try EngineCreation.makeTemporary(system, path: path, header: header, options: options)
    do throws(EngineError) {
      let engine = Engine(
        try EngineOpening(copying: file, path: path, options: options, header: header, system: system, nextID: id))
      let transaction = try engine.begin()
      do throws(EngineError) {
        try copyTrees(to: transaction, progress: progress)
      } catch {
        transaction.abort()
        throw error
      }
      // Also of an empty store: the file is named for this version.
      _ = try transaction.commit(.powerLoss, isForced: true)
      // The transaction gave the lock back.
      _ = try naming(path) { () throws(SystemError) in try file.tryLock() }
    } catch {
      _ = system.unlink(path)
      throw error
    }
    return file
  }

  private func copyTrees(to target: EngineTransaction, progress: (UInt64, UInt64) -> Bool) throws(EngineError) {
    let names = try source.treeNames()
    var total: UInt64 = 0
    for name in names { total += try source.tree(name)?.count ?? 0 }
    var done: UInt64 = 0
    for name in names {
      guard let tree = try source.tree(name) else { continue }
      let handle = try target.handle(name)
      var cursor = tree.cursor()
      var isThere = try cursor.first()
      while isThere {
        try cursor.withEntry { key, value throws(EngineError) in _ = try target.put(key, value, in: handle) }
        done += 1
        if done % 1024 == 0, !progress(done, total) { throw .transactionEnded }
        isThere = try cursor.next()
      }
    }
    _ = progress(done, total)
  }

  /// What a maker that died left behind.
  private func removeLitter() {
    var names: [String] = []
    let prefix = Array(StorageDirectory.temporaryPrefix.utf8)
    try? directory.forEachName { name in
      if name.count > prefix.count, name.raw.extracting(first: prefix.count).equals(prefix.span.raw) {
        names.append(name.decodedString())
      }
    }
    for name in names { directory.removeIfLitter(name) }
  }
}
