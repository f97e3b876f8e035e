import RawMemory
import Sealing
import StorageIO
import Synchronization

extension Engine {
  /// Reads the meta pages anew and takes the one of a version. An inspector, who isn't told which, takes the newest.
  func refresh(_ state: inout sending State, _ version: TransactionID) throws(EngineError) {
    let metas = try MetaPages.read(state.pages.file, header: header, cipher: cipher)
    state.slotVersions = metas.slotVersions
    let found = options.isInspecting ? metas.pages.max { $0.id < $1.id } : metas.pages.first { $0.id == version }
    guard let found else { throw .corrupted(page: 0, reason: "the meta page of the current version can't be read") }
    state.newest = found
  }

  /// After a compaction by any process the path leads to another file: it is opened, and read from then on.
  func checkGeneration() throws(EngineError) {
    let generation = lockFile.generation
    let isCurrent = state.withLock { $0.generation == generation }
    if isCurrent || options.isInspecting { return }
    let file = try naming(path) { () throws(SystemError) in
      try StorageFile(system, path: path, flags: isReadOnly ? OpenFlag.readOnly : OpenFlag.readWrite, isLockable: true)
    }
    let pages = pageFile(file)
    let metas = try MetaPages.read(file, header: header, cipher: cipher)
    let published = lockFile.published
    guard let newest = metas.pages.first(where: { $0.id == published }) ?? metas.pages.max(by: { $0.id < $1.id }) else {
      throw .corrupted(page: 0, reason: "the meta pages of the compacted file can't be read")
    }
    state.withLock { state in
      state.pages = pages
      state.newest = newest
      state.slotVersions = metas.slotVersions
      state.generation = generation
    }
    allocatedByteCount = 0
  }

  func pageFile(_ file: StorageFile) -> PageFile {
    PageFile(
      file, geometry: header.geometry, fileID: header.fileID, cipher: cipher, sealer: sealer,
      cacheByteCountMax: options.pageCacheByteCountMax, mapsPages: options.mapsPages && !options.isInspecting,
      reportsReuse: options.isInspecting)
  }
}

/// The three meta pages as they are in the file.
struct MetaPages {
  /// Those that are whole.
  var pages: [MetaPage] = []
  var slotVersions: [TransactionID?] = [nil, nil, nil]

  static func read(_ file: StorageFile, header: FileHeader, cipher: PageCipher?) throws(EngineError) -> MetaPages {
    let buffer = ByteBuffer(count: PageGeometry.metaAreaByteCount)
    let count = try naming(file.path) { () throws(SystemError) in try file.read(buffer, 0..<buffer.count, at: 0) }
    return decode(buffer, count: count, header: header, cipher: cipher)
  }

  static func decode(_ buffer: ByteBuffer, count: Int, header: FileHeader, cipher: PageCipher?) -> MetaPages {
    var result = MetaPages()
    for slot in 0..<PageGeometry.metaCount {
      let start = slot * PageGeometry.metaStride
      let available = min(PageGeometry.metaStride, count - start)
      if let page = MetaPage.read(buffer, at: start, available: available, slot: slot, header: header, cipher: cipher) {
        result.pages.append(page)
        result.slotVersions[slot] = page.id
      }
    }
    return result
  }
}
