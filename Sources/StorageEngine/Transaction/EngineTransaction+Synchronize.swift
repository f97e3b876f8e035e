import RawMemory
import StorageIO

extension EngineTransaction {
  /// Makes everything durable that was written, by this transaction and by those before it.
  ///
  /// A sync that fails may lose what earlier commits wrote as well, and the kernel takes it for written: the next sync succeeds without it,
  /// in any process. So a failure is noted in the lock file, and who syncs next writes those pages again first.
  /// - Parameter list: the pages of this version that weren't synced, with their checksums; nil: they weren't listed.
  func synchronize(_ list: [PageNumber: UInt32]?) throws(EngineError) {
    let failure = engine.lockFile.extraWord(Engine.failedSyncWord)
    if failure != 0 { try rewrite(list) }
    do throws(SystemError) {
      try pages.file.synchronizeData()
    } catch {
      engine.markFailed()
      engine.lockFile.setExtraWord(Engine.failedSyncWord, id)
      throw EngineError(error, path: engine.path)
    }
    if failure != 0 { engine.lockFile.setExtraWord(Engine.failedSyncWord, 0) }
    try engine.makeNameDurable()
  }

  /// Writes what is in the file once more, so that it isn't taken for written.
  private func rewrite(_ list: [PageNumber: UInt32]?) throws(EngineError) {
    let buffer = ByteBuffer(count: geometry.pageByteCount)
    defer { buffer.zero(0..<buffer.count) }
    guard let list else {
      for number in geometry.firstPage..<base.pageCount where written[number] == nil {
        try pages.checkReadable(number, 1)
        try pages.readStored(number, into: buffer, 0..<buffer.count)
        try pages.write(buffer, 0..<buffer.count, at: number)
      }
      return
    }
    for (number, checksum) in list.sorted(by: { $0.key < $1.key }) where written[number] == nil {
      try pages.readStored(number, into: buffer, 0..<buffer.count)
      guard Checksum.crc32(buffer, 0..<buffer.count) == checksum else {
        throw pages.corrupted(number, "a sync that failed lost it")
      }
      try pages.write(buffer, 0..<buffer.count, at: number)
    }
  }
}
