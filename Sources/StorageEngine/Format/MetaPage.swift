import RawMemory
import Sealing
import StorageIO

/// What a file is, the same for all versions.
struct FileHeader: Equatable {
  var pageByteCount: Int
  var isSealed: Bool
  var stretchKibibytes: UInt32 = 0
  var stretchPasses: UInt32 = 0
  var fileID: [UInt8]
  var salt: [UInt8]
  var keyCheck: [UInt8]

  var geometry: PageGeometry { PageGeometry(pageByteCount: pageByteCount, isSealed: isSealed) }
}

/// One version of the file, as a meta page has it.
struct MetaPage {
  var id: TransactionID
  var durableID: TransactionID
  var bootIdentity: UInt64
  var pageCount: PageNumber
  var catalog: TreeRoot
  var free: TreeRoot
  var nextTreeID: UInt32
  var commitTime: Int64
  /// Pages written since `durableID`, with the checksums of their stored bytes; nil: not listed.
  var unsynced: [PageNumber: UInt32]?
  /// Which of the three it is.
  var slot: Int

  var byteCount: Int { MetaLayout.list + (unsynced?.count ?? 0) * MetaLayout.entryByteCount }
}

extension FileHeader {
  func store(in buffer: ByteBuffer) {
    let magic = MetaLayout.magic
    buffer.copy(magic.span, at: MetaLayout.magicOffset)
    buffer.store(MetaLayout.version, at: MetaLayout.formatVersion)
    buffer.store(UInt8(pageByteCount.trailingZeroBitCount), at: MetaLayout.pageShift)
    buffer.store(UInt8(isSealed ? 1 : 0), at: MetaLayout.suite)
    buffer.store(stretchKibibytes, at: MetaLayout.stretchKibibytes)
    buffer.store(stretchPasses, at: MetaLayout.stretchPasses)
    buffer.copy(fileID.span, at: MetaLayout.fileID)
    buffer.copy(salt.span, at: MetaLayout.salt)
    buffer.copy(keyCheck.span, at: MetaLayout.keyCheck)
    buffer.store(Checksum.crc32(buffer, 0..<MetaLayout.headerChecksum), at: MetaLayout.headerChecksum)
  }

  enum Finding {
    case header(FileHeader)
    case damaged
    case foreign
    case newer(UInt16)
  }

  /// Reads the first part of a meta page that begins at `start`.
  static func read(_ buffer: ByteBuffer, at start: Int) -> Finding {
    guard buffer.bytes(start..<start + 8) == MetaLayout.magic else { return .foreign }
    let checksum = Checksum.crc32(buffer, start..<start + MetaLayout.headerChecksum)
    guard buffer.load(UInt32.self, at: start + MetaLayout.headerChecksum) == checksum else { return .damaged }
    let version = buffer.load(UInt16.self, at: start + MetaLayout.formatVersion)
    let features = buffer.load(UInt32.self, at: start + MetaLayout.readFeatures)
    if version > MetaLayout.version || features != 0 { return .newer(max(version, MetaLayout.version + 1)) }
    let shift = buffer.load(UInt8.self, at: start + MetaLayout.pageShift)
    let suite = buffer.load(UInt8.self, at: start + MetaLayout.suite)
    guard shift < 32, PageGeometry.isPossible(1 << Int(shift)), suite <= 1 else { return .damaged }
    func bytes(_ offset: Int, _ count: Int) -> [UInt8] { buffer.bytes(start + offset..<start + offset + count) }
    return .header(
      FileHeader(
        pageByteCount: 1 << Int(shift), isSealed: suite == 1,
        stretchKibibytes: buffer.load(UInt32.self, at: start + MetaLayout.stretchKibibytes),
        stretchPasses: buffer.load(UInt32.self, at: start + MetaLayout.stretchPasses), fileID: bytes(MetaLayout.fileID, 16),
        salt: bytes(MetaLayout.salt, 16), keyCheck: bytes(MetaLayout.keyCheck, 16)))
  }
}

extension MetaPage {
  /// Writes header and content to the beginning of a buffer, sealed or with their checksum. - Returns: how many bytes to write.
  func store(in buffer: ByteBuffer, header: FileHeader, sealer: PageSealer?) -> Int {
    let sectors = (byteCount + MetaLayout.sectorByteCount - 1) / MetaLayout.sectorByteCount * MetaLayout.sectorByteCount
    buffer.zero(0..<sectors)
    header.store(in: buffer)
    buffer.store(UInt32(byteCount - MetaLayout.envelope), at: MetaLayout.contentByteCount)
    buffer.store(id, at: MetaLayout.transactionID)
    buffer.store(durableID, at: MetaLayout.durableID)
    buffer.store(bootIdentity, at: MetaLayout.bootIdentity)
    buffer.store(pageCount, at: MetaLayout.pageCount)
    buffer.store(catalog.page, at: MetaLayout.catalogPage)
    buffer.store(catalog.birth, at: MetaLayout.catalogBirth)
    buffer.store(catalog.count, at: MetaLayout.catalogCount)
    buffer.store(catalog.level, at: MetaLayout.catalogLevel)
    buffer.store(free.page, at: MetaLayout.freePage)
    buffer.store(free.birth, at: MetaLayout.freeBirth)
    buffer.store(free.count, at: MetaLayout.freeCount)
    buffer.store(free.level, at: MetaLayout.freeLevel)
    buffer.store(nextTreeID, at: MetaLayout.nextTreeID)
    buffer.store(commitTime, at: MetaLayout.commitTime)
    buffer.store(unsynced.map { UInt32($0.count) } ?? MetaLayout.unlisted, at: MetaLayout.listCount)
    var offset = MetaLayout.list
    for (page, checksum) in (unsynced ?? [:]).sorted(by: { $0.key < $1.key }) {
      buffer.store(page, at: offset)
      buffer.store(checksum, at: offset + 4)
      offset += MetaLayout.entryByteCount
    }
    if let sealer {
      sealer.seal(buffer, at: MetaLayout.envelope, byteCount: byteCount - MetaLayout.envelope, page: UInt64(slot), birth: id)
    } else {
      buffer.store(Self.checksum(buffer, 0, byteCount - MetaLayout.envelope), at: MetaLayout.contentChecksum)
    }
    return sectors
  }

  private static func checksum(_ buffer: ByteBuffer, _ start: Int, _ byteCount: Int) -> UInt32 {
    let seed = Checksum.crc32(buffer, start + MetaLayout.fileID..<start + MetaLayout.fileID + 16)
    return Checksum.crc32(buffer, start + MetaLayout.envelope..<start + MetaLayout.envelope + byteCount, seed: seed)
  }

  /// Reads a meta page at `start` of a buffer that holds `available` bytes of it. - Returns: nil when it isn't whole.
  static func read(_ buffer: ByteBuffer, at start: Int, available: Int, slot: Int, header: FileHeader, cipher: PageCipher?)
    -> MetaPage?
  {
    guard available >= MetaLayout.list, case .header(let found) = FileHeader.read(buffer, at: start), found == header else {
      return nil
    }
    let byteCount = Int(buffer.load(UInt32.self, at: start + MetaLayout.contentByteCount))
    guard byteCount >= MetaLayout.list - MetaLayout.envelope, byteCount <= available - MetaLayout.envelope else { return nil }
    let id = buffer.load(UInt64.self, at: start + MetaLayout.transactionID)
    if let cipher {
      guard cipher.open(buffer, at: start + MetaLayout.envelope, byteCount: byteCount, page: UInt64(slot), birth: id) else {
        return nil
      }
    } else {
      guard buffer.load(UInt32.self, at: start + MetaLayout.contentChecksum) == checksum(buffer, start, byteCount) else {
        return nil
      }
    }
    func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ offset: Int) -> T { buffer.load(type, at: start + offset) }
    var unsynced: [PageNumber: UInt32]? = [:]
    let listCount = load(UInt32.self, MetaLayout.listCount)
    if listCount == MetaLayout.unlisted {
      unsynced = nil
    } else {
      guard listCount <= MetaLayout.listCountMax,
        byteCount == MetaLayout.list - MetaLayout.envelope + Int(listCount) * MetaLayout.entryByteCount
      else { return nil }
      for index in 0..<Int(listCount) {
        let offset = MetaLayout.list + index * MetaLayout.entryByteCount
        unsynced?[load(UInt32.self, offset)] = load(UInt32.self, offset + 4)
      }
    }
    return MetaPage(
      id: id, durableID: load(UInt64.self, MetaLayout.durableID), bootIdentity: load(UInt64.self, MetaLayout.bootIdentity),
      pageCount: load(UInt32.self, MetaLayout.pageCount),
      catalog: TreeRoot(
        page: load(UInt32.self, MetaLayout.catalogPage), birth: load(UInt64.self, MetaLayout.catalogBirth),
        level: load(UInt8.self, MetaLayout.catalogLevel), count: load(UInt64.self, MetaLayout.catalogCount)),
      free: TreeRoot(
        page: load(UInt32.self, MetaLayout.freePage), birth: load(UInt64.self, MetaLayout.freeBirth),
        level: load(UInt8.self, MetaLayout.freeLevel), count: load(UInt64.self, MetaLayout.freeCount)),
      nextTreeID: load(UInt32.self, MetaLayout.nextTreeID), commitTime: load(Int64.self, MetaLayout.commitTime), unsynced: unsynced,
      slot: slot)
  }
}
