import RawMemory
import Sealing
import StorageIO
import Synchronization

/// Pages in a file: read and checked, or sealed and written. It knows nothing of trees and versions.
final class PageFile: @unchecked Sendable {
  let file: StorageFile
  let geometry: PageGeometry
  let cipher: PageCipher?
  private let sealer: PageSealer?
  private let seed: UInt32
  let cache: PageCache?
  private let windows: PageWindows?
  let checked: CheckedPages
  /// For a reader that couldn't register its version: a page of another birth was reused, and is no damage.
  let reportsReuse: Bool
  /// How many whole pages the file was seen to have: reading behind its end through a mapping would be a SIGBUS.
  private let pageCountSeen = Atomic<UInt64>(0)

  /// - Parameter mapsPages: for plain files; false reads through a cache of copies.
  init(
    _ file: StorageFile, geometry: PageGeometry, fileID: [UInt8], cipher: PageCipher?, sealer: PageSealer?, cacheByteCountMax: Int,
    mapsPages: Bool, reportsReuse: Bool
  ) {
    self.file = file
    self.geometry = geometry
    self.cipher = cipher
    self.sealer = sealer
    self.reportsReuse = reportsReuse
    seed = Checksum.crc32(fileID.span.raw)
    let isMapped = mapsPages && cipher == nil
    windows = isMapped ? PageWindows(file) : nil
    cache =
      isMapped
      ? nil
      : PageCache(
        byteCountMax: cacheByteCountMax, pageByteCount: geometry.pageByteCount, bodyStart: geometry.envelopeByteCount,
        wipes: cipher != nil)
    checked = CheckedPages(count: isMapped ? 1 << 16 : 1 << 9)
  }

  /// As a store is read.
  convenience init(
    _ file: StorageFile, _ header: FileHeader, _ cipher: PageCipher?, _ sealer: PageSealer?, _ options: EngineOptions
  ) {
    self.init(
      file, geometry: header.geometry, fileID: header.fileID, cipher: cipher, sealer: sealer,
      cacheByteCountMax: options.pageCacheByteCountMax, mapsPages: options.mapsPages && !options.isInspecting,
      reportsReuse: options.reportsReuse)
  }

  /// - Throws: `corrupted` when the file ends before the pages do.
  func checkReadable(_ page: PageNumber, _ count: Int) throws(EngineError) {
    let end = UInt64(page) + UInt64(count)
    if end <= pageCountSeen.load(ordering: .relaxed) { return }
    let status = try naming(file.path) { () throws(SystemError) in try file.status() }
    pageCountSeen.store(status.byteCount / UInt64(geometry.pageByteCount), ordering: .relaxed)
    if end > status.byteCount / UInt64(geometry.pageByteCount) { throw corrupted(page, "the file ends before it does") }
  }

  func corrupted(_ page: PageNumber, _ reason: String) -> EngineError { .corrupted(page: page, reason: reason) }

  // MARK: Reading

  /// The body of a page of a tree.
  func page(_ number: PageNumber, birth: TransactionID) throws(EngineError) -> ByteView {
    if let cache {
      if let body = cache.page(number, birth) { return body }
      let buffer = cache.takeBuffer(for: number)
      try read(number, birth: birth, into: buffer)
      let body = buffer.view(geometry.envelopeByteCount..<geometry.pageByteCount)
      if let fault = PageValidation.fault(body, number: number, birth: birth) { throw corrupted(number, fault) }
      return cache.insert(buffer, number, birth)
    }
    guard let page = try windows?.view(geometry.offset(of: number), geometry.pageByteCount) else {
      throw corrupted(number, "it lies across two mappings")
    }
    let body = page.slice(geometry.envelopeByteCount..<geometry.pageByteCount)
    if checked.contains(number, birth) { return body }
    try checkPlain(page, number, birth)
    if let fault = PageValidation.fault(body, number: number, birth: birth) { throw corrupted(number, fault) }
    checked.insert(number, birth)
    return body
  }

  /// Asks for what a search in a page reads first, where the page is at hand.
  func prefetch(_ number: PageNumber, birth: TransactionID) {
    let body: ByteView?
    if let cache {
      body = cache.page(number, birth)
    } else {
      body = windows?.mapped(geometry.offset(of: number) + UInt64(geometry.envelopeByteCount), geometry.bodyByteCount)
    }
    if let body { NodeView(body).prefetchForSearch() }
  }

  /// Reads a page into a buffer, from its envelope on, and checks that it is the one asked for.
  func read(_ number: PageNumber, birth: TransactionID, into buffer: ByteBuffer) throws(EngineError) {
    try readStored(number, into: buffer, 0..<geometry.pageByteCount)
    guard let cipher else { return try checkPlain(buffer.view, number, birth) }
    let found = buffer.load(UInt64.self, at: geometry.envelopeByteCount + PageLayout.birth)
    if cipher.open(buffer, at: 0, byteCount: geometry.pageByteCount, page: UInt64(number), birth: birth) { return }
    throw mismatch(number, birth, found, "its tag doesn't fit: damaged, or not of this place and time")
  }

  func readStored(_ number: PageNumber, into buffer: ByteBuffer, _ range: Range<Int>) throws(EngineError) {
    let offset = geometry.offset(of: number)
    let count = try naming(file.path) { () throws(SystemError) in try file.read(buffer, range, at: offset) }
    if count < range.count { throw corrupted(number, "the file ends before it does") }
  }

  /// A run in one piece of the mapping; nil where it must be copied.
  func mappedRun(_ number: PageNumber, _ byteCount: Int) throws(EngineError) -> ByteView? {
    guard let windows else { return nil }
    return try windows.view(geometry.offset(of: number), byteCount)
  }

  private func checkPlain(_ page: ByteView, _ number: PageNumber, _ birth: TransactionID) throws(EngineError) {
    let found = page.load(UInt64.self, at: geometry.envelopeByteCount + PageLayout.birth)
    if found != birth { throw mismatch(number, birth, found, "it was written by another transaction") }
    let checksum = plainChecksum(page, number)
    if page.load(UInt32.self, at: PageLayout.plainChecksum) != checksum { throw corrupted(number, "its checksum doesn't fit") }
  }

  func mismatch(_ number: PageNumber, _ birth: TransactionID, _ found: TransactionID, _ reason: String) -> EngineError {
    reportsReuse && found != birth ? .snapshotLost : corrupted(number, reason)
  }

  /// Of everything behind the envelope; the seed ties it to its file and place.
  func plainChecksum(_ page: ByteView, _ number: PageNumber) -> UInt32 {
    Checksum.crc32(page.bytes(geometry.envelopeByteCount..<page.count), seed: Checksum.crc32(of: UInt64(number), seed: seed))
  }

  // MARK: Writing

  /// Makes the stored form of a page in place: checksum, or seal. - Returns: the checksum of the stored bytes.
  func finish(_ number: PageNumber, birth: TransactionID, in buffer: ByteBuffer, at start: Int) -> UInt32 {
    let end = start + geometry.pageByteCount
    if let sealer {
      sealer.seal(buffer, at: start, byteCount: geometry.pageByteCount, page: UInt64(number), birth: birth)
    } else {
      let page = buffer.view(start..<end)
      buffer.store(UInt64(plainChecksum(page, number)), at: start + PageLayout.plainChecksum)
    }
    return Checksum.crc32(buffer, start..<end)
  }

  func write(_ buffer: ByteBuffer, _ range: Range<Int>, at page: PageNumber) throws(EngineError) {
    let offset = geometry.offset(of: page)
    try naming(file.path) { () throws(SystemError) in try file.write(buffer, range, at: offset) }
  }
}
