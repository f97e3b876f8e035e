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
  /// Under which the file that is replaced can still be found until the swap is sure.
  var secondName: String { name + "-old" }

  init(_ source: Snapshot, directory: String, header: FileHeader, options: EngineOptions) throws(EngineError) {
    self.source = source
    self.header = header
    self.options = options
    let system = source.engine.system
    self.directory = StorageDirectory(
      system, path: directory, fileMode: options.fileMode, directoryMode: 0o700, forcesModes: false)
    let random = try naming(directory) { () throws(SystemError) in try system.randomNumber() }
    name = StorageDirectory.temporaryPrefix + hexadecimal(random)
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
        try Self.copyTrees(of: source, to: transaction, progress: progress)
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

  /// Entry by entry. - Parameter progress: entries done and in all; false stops, which is `transactionEnded`.
  static func copyTrees(
    of source: Snapshot, to target: EngineWriter, progress: (UInt64, UInt64) -> Bool
  ) throws(EngineError) {
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
  private func removeLitter() { for name in (try? directory.temporaryNames()) ?? [] { directory.removeIfLitter(name) } }

  /// Second names of the source's file, left behind by a swap that a loss of power undid. Under its lock: who swaps has one.
  func removeSecondNames() throws(SystemError) {
    let own = try source.pages.file.status()
    for name in try directory.temporaryNames() {
      var status: FileStatus?
      guard directory.system.status(path: directory.path(of: name), &status) == 0, let status else { continue }
      if status.inode == own.inode, status.device == own.device { try directory.remove(name) }
    }
  }
}
