import RawMemory
package import StorageIO
import Synchronization

/// What a store's file says of itself without a key.
package struct StoreInspection: Sendable {
  package let formatVersion: UInt16
  package let isSealed: Bool
  /// Whether the key is stretched from a passphrase.
  package let usesPassphrase: Bool
  package let pageByteCount: Int
  package let fileID: [UInt8]
  package let fileByteCount: UInt64
  /// Versions of the three meta pages as they stand there, unchecked; nil where the beginning of one isn't whole.
  package let slotVersions: [TransactionID?]

  /// Whether any of the places of a meta page begins as one does.
  package static func isStore(_ file: StorageFile) throws(SystemError) -> Bool {
    let buffer = ByteBuffer(count: MetaLayout.magic.count)
    for slot in 0..<PageGeometry.metaCount {
      let offset = UInt64(slot * PageGeometry.metaStride)
      if try file.read(buffer, 0..<buffer.count, at: offset) == buffer.count, buffer.bytes(0..<buffer.count) == MetaLayout.magic {
        return true
      }
    }
    return false
  }

  /// Reads the meta pages' beginnings, without a trace.
  ///
  /// - Throws: `notAStore`, `unsupportedFormat`, `corrupted` when no beginning is whole.
  package init(_ system: SystemCalls, path: String) throws(EngineError) {
    let file = try naming(path) { () throws(SystemError) in
      try StorageFile(system, path: path, flags: OpenFlag.readOnly, isQuiet: true)
    }
    let area = ByteBuffer(count: PageGeometry.metaAreaByteCount)
    let count = try naming(path) { () throws(SystemError) in try file.read(area, 0..<area.count, at: 0) }
    let header = try EngineOpening.header(area, count: count, path: path)
    formatVersion = MetaLayout.version
    isSealed = header.isSealed
    usesPassphrase = header.stretchKibibytes > 0
    pageByteCount = header.pageByteCount
    fileID = header.fileID
    fileByteCount = try naming(path) { () throws(SystemError) in try file.status() }.byteCount
    slotVersions = (0..<PageGeometry.metaCount).map { slot in
      let start = slot * PageGeometry.metaStride
      guard count >= start + MetaLayout.list, case .header(let own) = FileHeader.read(area, at: start), own == header else {
        return nil
      }
      return area.load(UInt64.self, at: start + MetaLayout.transactionID)
    }
  }
}

/// A version that the file has, whole, and when it was committed.
package struct StoredVersion: Sendable {
  package let id: TransactionID
  /// Microseconds since 1970.
  package let commitTime: Int64
  package let pageCount: UInt64
  package let freePageCount: UInt64
}

extension Engine {
  /// Versions whose meta pages are whole, the newest first: a reader can have begun with any of them.
  package func storedVersions() throws(EngineError) -> [StoredVersion] {
    let file = state.withLock { $0.pages.file }
    return try MetaPages.read(file, header: header, cipher: cipher).pages.sorted { $0.id > $1.id }.map { meta in
      StoredVersion(
        id: meta.id, commitTime: meta.commitTime, pageCount: UInt64(meta.pageCount), freePageCount: meta.free.count)
    }
  }
}
