import RawMemory
import StorageIO
import Synchronization

extension Engine {
  /// Rewrites the file without its free pages and swaps it in, under the writer's lock. Readers go on, in the old file.
  ///
  /// Guarantee: a death at any instant leaves the old file or the new one under the path, both whole; the temporary file is litter that the
  /// next compaction removes.
  /// - Throws: `noSpace` and others; the old file is as it was then.
  /// - Complexity: O(entries), one file of the live data's size beside the old one.
  package func compact(progress: (UInt64, UInt64) -> Bool = { _, _ in true }) throws(EngineError) {
    let transaction = try begin()
    defer { transaction.abort() }
    let source = try snapshot()
    var options = options
    options.dirtyPageByteCountMax = min(options.dirtyPageByteCountMax, 4 << 20)
    let copy = try EngineCopy(source, directory: EngineCreation.split(path).directory, header: header, options: options)
    let file = try copy.make(id: transaction.id, progress: progress)
    do throws(EngineError) {
      try swap(copy, id: transaction.id)
    } catch {
      _ = system.unlink(copy.path)
      throw error
    }
    withExtendedLifetime(file) {}
  }

  /// The mark goes first: whoever sees it looks whether the path leads to another file than its own.
  private func swap(_ copy: EngineCopy, id: TransactionID) throws(EngineError) {
    lockFile.setExtraWord(Self.supersedingWord, 1)
    try naming(path) { () throws(SystemError) in
      try copy.directory.rename(from: copy.name, to: EngineCreation.split(path).name)
      try copy.directory.synchronize()
    }
    lockFile.publish(id)
    lockFile.setDurable(id)
    lockFile.advanceGeneration()
    lockFile.setExtraWord(Self.supersedingWord, 0)
    try checkGeneration()
  }

  static let supersedingWord = 0

  /// A copy of the newest version in a new file, with a key of its own or plain. The destination must not exist.
  ///
  /// - Throws: `fileExists`; it wasn't touched then.
  package func writeCopy(
    to destination: String, key: EngineKey, progress: (UInt64, UInt64) -> Bool = { _, _ in true }
  ) throws(EngineError) {
    var status: FileStatus?
    if system.status(path: destination, &status) == 0 { throw .fileExists(path: destination) }
    let source = try snapshot()
    let random = ByteBuffer(count: 32)
    guard system.random(random, 0..<32) >= 0 else { throw .system(SystemError(.random, 5), path: destination) }
    var options = options
    options.key = key
    options.isReadOnly = false
    options.isInspecting = false
    options.pageByteCount = header.pageByteCount
    let fresh = try EngineCreation.header(options, fileID: random.bytes(0..<16), salt: random.bytes(16..<32))
    let (directory, name) = EngineCreation.split(destination)
    let copy = try EngineCopy(source, directory: directory, header: fresh, options: options)
    let file = try copy.make(id: source.version + 1, progress: progress)
    defer { _ = system.unlink(copy.path) }
    let linked = system.link(copy.path, to: copy.directory.path(of: name))
    if linked == -Int(ErrorNumber.exists) { throw .fileExists(path: destination) }
    if linked < 0 { throw EngineError(SystemError(.link, Int32(-linked)), path: destination) }
    try naming(destination) { () throws(SystemError) in try copy.directory.synchronize() }
    withExtendedLifetime(file) {}
  }
}
