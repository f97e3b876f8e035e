import RawMemory
import StorageIO

/// What is behind a segment's name.
enum SegmentOpening {
  case segment(Segment)
  /// Marked removed: whoever meets it finishes the job.
  case removed(StorageFile, MailboxSegmentID)
  /// The name is gone.
  case vanished
  /// Not a segment that can be read; the reason is for people.
  case damaged(reason: String, path: String, byteCount: UInt64)
  /// A file whose first bytes never became durable: nothing that was promised can be in it.
  case blank(StorageFile)

  static let notAFile = "not a regular file"
  static let notOurs = "not a segment of this library"

  enum Access { case append, drain, inspect }

  /// Opens a segment: O(1), whatever is in it.
  /// - Throws: `keyRequired`, `keyNotExpected`, `wrongKey`, `unsupportedVersion`, or a system call's error.
  static func open(_ number: SegmentNumber, _ context: LogContext, _ access: Access) throws(LogError) -> SegmentOpening {
    try open(context.directory.path(of: number.name), number, .mailboxSegment, context, access)
  }

  /// Opens a file of either kind.
  static func open(
    _ path: String, _ number: SegmentNumber, _ kind: LogFileKind, _ context: LogContext, _ access: Access
  ) throws(LogError) -> SegmentOpening {
    let file: StorageFile
    do throws(SystemError) {
      file = try StorageFile(
        context.system, path: path, flags: access.openFlags, isLockable: access != .inspect,
        isQuiet: access == .inspect)
    } catch {
      switch error.code {
      case ErrorNumber.notFound: return .vanished
      case ErrorNumber.isADirectory, ErrorNumber.symbolicLink, ErrorNumber.noSuchDevice:
        return .damaged(reason: notAFile, path: path, byteCount: 0)
      default: break
      }
      throw LogError(error, path: path)
    }
    return try at(path) { () throws(SystemError) in try examine(file, number, kind, context, access) }.get()
  }

  private static func examine(
    _ file: StorageFile, _ number: SegmentNumber, _ kind: LogFileKind, _ context: LogContext, _ access: Access
  ) throws(SystemError) -> Result<SegmentOpening, LogError> {
    let status = try file.status()
    guard status.kind == .file else {
      return .success(.damaged(reason: notAFile, path: file.path, byteCount: 0))
    }
    if status.byteCount == 0 { return .success(.blank(file)) }
    guard status.byteCount >= SegmentLayout.dataStart else {
      return .success(.damaged(reason: "cut off within the first blocks", path: file.path, byteCount: status.byteCount))
    }
    let block = ByteBuffer(count: Int(SegmentLayout.dataStart))
    guard try file.read(block, 0..<block.count, at: 0) == block.count else { throw SystemError(.read, ErrorNumber.inputOutput) }
    let identifier = SegmentHeader.identifier(in: block)
    let coding = WordCoding(identifier: identifier)
    func word(_ word: SegmentLayout.Word) -> UInt64? {
      coding.decode(block.load(UInt64.self, at: Int(word.offset)), index: word.rawValue)
    }
    if word(.state) == SegmentState.removed.rawValue { return .success(.removed(file, identifier)) }

    let header: SegmentHeader
    do throws(SegmentHeader.Fault) { header = try SegmentHeader(parsing: block, as: kind) } catch {
      switch error {
      case .blank: return .success(.blank(file))
      case .notALog:
        return .success(.damaged(reason: notOurs, path: file.path, byteCount: status.byteCount))
      case .damaged(let reason): return .success(.damaged(reason: reason, path: file.path, byteCount: status.byteCount))
      case .newer: return .failure(error.error(file.path))
      }
    }
    let keys: SegmentKeys?
    switch (context.fileKey, header.keyScheme) {
    case (nil, .plain): keys = nil
    case (nil, _): return .failure(.keyRequired)
    case (_?, .plain): return .failure(.keyNotExpected)
    case (let key?, _):
      guard let derived = SegmentKeys.fitting(key, header, block) else { return .failure(.wrongKey) }
      keys = derived
    }
    let boot = context.bootIdentity
    let isTrusted = boot != 0 && word(.bootIdentity) == boot && word(.fileIdentity) == Identity.file(status)
    let words = SegmentWords(file, identifier: header.identifier)
    // A drainer moves words often, and against others: by compare-exchange.
    if access == .drain, context.mapsFiles { try words.map() }
    return .success(
      .segment(
        Segment(
          number: number, file: file, header: header, words: words, keys: keys, isTrusted: isTrusted,
          allocatedEnd: status.byteCount, kind: kind)))
  }
}

extension SegmentOpening.Access {
  /// Not blocking: a pipe under a segment's name would otherwise hold the call until somebody opens its other end.
  var openFlags: Int32 {
    switch self {
    case .append, .drain: OpenFlag.readWrite | OpenFlag.noFollow | OpenFlag.nonBlocking
    case .inspect: OpenFlag.readOnly | OpenFlag.noFollow | OpenFlag.nonBlocking
    }
  }
}
