import RawMemory
package import StorageIO

/// One segment file or key-value log, looked at through `pread` alone and never changed: for tools, on files that may be damaged or in use.
package final class SegmentInspection {
  package typealias Field = (name: String, range: Range<UInt64>, value: String)

  package let path: String
  package let fileByteCount: UInt64
  package let segmentID: MailboxSegmentID
  /// What is wrong with the header, or nil.
  package let headerFault: String?
  let file: StorageFile
  let segment: Segment?
  let header: ByteBuffer

  /// - Parameters:
  ///   - key: nil also for looking at a sealed file without opening its records.
  ///   - isLog: whether it is to be a key-value log instead of a segment of a mailbox.
  /// - Throws: `notFound`; `notALog` for other files, empty ones and such that end within the first blocks; `unsupportedVersion`;
  ///   `wrongKey`, `keyNotExpected`; a system call's error.
  package convenience init(path: String, key: EncryptionKey?, isLog: Bool = false) throws(LogError) {
    try self.init(path: path, key: key, isLog: isLog, system: .live)
  }

  package init(path: String, key: EncryptionKey?, isLog: Bool = false, system: SystemCalls) throws(LogError) {
    self.path = path
    let kind: LogFileKind = isLog ? .keyValueLog : .mailboxSegment
    let file: StorageFile
    do throws(SystemError) {
      file = try StorageFile(
        system, path: path, flags: OpenFlag.readOnly | OpenFlag.noFollow | OpenFlag.nonBlocking, isQuiet: true)
    } catch {
      if error.code == ErrorNumber.symbolicLink || error.code == ErrorNumber.noSuchDevice { throw .notALog(path: path) }
      throw LogError(error, path: path)
    }
    self.file = file
    let status = try at(path) { () throws(SystemError) in try file.status() }
    guard status.kind == .file, status.byteCount >= SegmentLayout.dataStart else { throw .notALog(path: path) }
    fileByteCount = status.byteCount
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    _ = try at(path) { () throws(SystemError) in try file.read(block, 0..<block.count, at: 0) }
    header = block
    segmentID = SegmentHeader.identifier(in: block)
    let parsed: SegmentHeader
    do throws(SegmentHeader.Fault) { parsed = try SegmentHeader(parsing: block, as: kind) } catch {
      guard case .damaged(let reason) = error else { throw error.error(path) }
      headerFault = reason
      segment = nil
      return
    }
    headerFault = nil
    var keys: SegmentKeys?
    if let key {
      guard parsed.keyScheme != .plain else { throw .keyNotExpected }
      guard let derived = SegmentKeys.fitting(try FileKey(key, for: parsed), parsed, block) else { throw .wrongKey }
      keys = derived
    }
    segment = Segment(
      number: SegmentNumber(0), file: file, header: parsed, words: SegmentWords(file, identifier: parsed.identifier), keys: keys,
      isTrusted: false, allocatedEnd: status.byteCount, kind: kind)
  }

  /// Whether a file begins as a key-value log does; what is wrong with the rest of its header shows when it is opened.
  package static func isLog(_ file: StorageFile) throws(SystemError) -> Bool {
    let block = ByteBuffer(count: SegmentLayout.Header.fileKind + 1)
    guard try file.read(block, 0..<block.count, at: 0) == block.count else { return false }
    return block.load(UInt64.self, at: SegmentLayout.Header.magic) == SegmentLayout.magic
      && block.load(UInt8.self, at: SegmentLayout.Header.fileKind) == LogFileKind.keyValueLog.rawValue
  }

  /// Microseconds since 1970.
  package var createdAt: Int64 { header.load(Int64.self, at: SegmentLayout.Header.createdAt) }
  /// The file's device and inode aren't those that it recorded: it is a copy.
  package var isCopy: Bool {
    guard let status = try? file.status(),
      let recorded = (try? SegmentWords(file, identifier: segmentID).load(.fileIdentity)) ?? nil
    else { return false }
    return recorded != Identity.file(status)
  }

  package var formatVersion: UInt16 { header.load(UInt16.self, at: SegmentLayout.Header.formatVersion) }
  package var isEncrypted: Bool { header.load(UInt8.self, at: SegmentLayout.Header.suite) != 0 }

  /// Each mutable word: name, offset, and value; nil when its check fails.
  package func words() -> [(name: String, offset: UInt64, value: UInt64?)] {
    let words = SegmentWords(file, identifier: segmentID)
    return SegmentLayout.Word.allCases.map { word in (word.name, word.offset, (try? words.load(word)) ?? nil) }
  }

  /// active, sealed, superseding, removed, or damaged.
  package var stateName: String {
    guard let value = try? SegmentWords(file, identifier: segmentID).load(.state), let state = SegmentState(rawValue: value) else {
      return "damaged"
    }
    switch state {
    case .active: return "active"
    case .sealed: return "sealed"
    case .superseding: return "superseding"
    case .removed: return "removed"
    }
  }

  /// Bytes of the file; fewer at its end.
  package func read(_ range: Range<UInt64>) throws(LogError) -> [UInt8] {
    if range.isEmpty { return [] }
    let buffer = ByteBuffer(count: range.count)
    let count = try at(path) { () throws(SystemError) in try file.read(buffer, 0..<buffer.count, at: range.lowerBound) }
    return buffer.bytes(0..<count)
  }
}

/// The segment files of a mailbox directory, in order of number, by reading the directory only.
/// - Throws: `notFound`, `notALog` when it isn't a directory, a system call's error.
package func mailboxSegmentPaths(in directory: String) throws(LogError) -> [String] {
  var numbers: [SegmentNumber] = []
  try at(directory) { () throws(SystemError) in
    let listed = StorageDirectory(.live, path: directory, fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
    try listed.forEachName { if let number = SegmentNumber(name: $0) { numbers.append(number) } }
  }
  numbers.sort()
  return numbers.map { directory + "/" + $0.name }
}
