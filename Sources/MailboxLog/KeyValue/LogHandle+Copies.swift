import RawMemory
import StorageIO

/// Files that are copies: another key, a backup, what was restored.
extension LogHandle {
  func rekey(to key: EncryptionKey?) throws(LogError) {
    var compaction = Compaction()
    compaction.key = .some(key)
    let deadline = context.deadline(context.options.lockTimeout)
    // Another compaction ends by itself.
    while try !compact(compaction) {
      if deadline.hasPassed(context.system) { throw .busy(waited: context.options.lockTimeout) }
      context.system.sleep(nanoseconds: 1_000_000)
    }
  }

  /// What is committed never changes, so it is copied without a lock.
  func backup(to target: String) throws(LogError) {
    let (source, end) = try reading { log throws(LogError) in (log.segment, log.knownEnd) }
    _ = try Self.openReplaceable(target, context)
    try Self.copy(source, to: end, target, context)
  }

  static func restore(from backup: String, to path: String, system: SystemCalls) throws(LogError) {
    var options = LogOptions()
    options.durability = .powerLoss
    let context = try LogContext.open(system, PathParts(path).directory, options, nil)
    let source = try openAny(backup, context)
    let end = try at(backup) { () throws(SystemError) in try source.bounds().committedEnd }
    // Whoever writes to the log that is there waits for the exchange, and then finds the other file.
    let current = try openForExchange(path, context)
    defer { current?.file.unlock() }
    if let current { try at(path) { () throws(SystemError) in try current.words.store(SegmentState.superseding.rawValue, .state) } }
    // Numbers go on above those that somebody has seen.
    let sequence = current.flatMap { try? $0.words.load(.lastSequence) } ?? 0
    do throws(LogError) { try copy(source, to: end, path, context, above: sequence, like: current?.file) } catch {
      if let current { try? current.words.store(SegmentState.active.rawValue, .state) }
      throw error
    }
    if let current { try? current.words.ringIfAwaited() }
  }

  /// What a copy may take the place of: the log that is there; nil when there is nothing, or a log whose header is damaged, which nobody
  /// has open. - Throws: `notALog`: a path that was mistyped costs no file.
  private static func openReplaceable(_ path: String, _ context: LogContext, writable: Bool = false) throws(LogError) -> Segment? {
    do throws(LogError) { return try openAny(path, context, writable: writable) } catch {
      switch error {
      case .notFound, .corrupted: return nil
      default: throw error
      }
    }
  }

  /// The log that is there, locked; nil as `openReplaceable`.
  private static func openForExchange(_ path: String, _ context: LogContext) throws(LogError) -> Segment? {
    for _ in 0..<100 {
      guard let found = try openReplaceable(path, context, writable: true) else { return nil }
      let isLocked = try at(path) { () throws(SystemError) in try found.file.lock(until: context.deadline(.seconds(1))) }
      guard isLocked else { throw .busy(waited: .seconds(1)) }
      // Another one may have replaced it while this call waited.
      if try at(path, { () throws(SystemError) in try found.file.isNamed(by: path) }) { return found }
      found.file.unlock()
    }
    throw .busy(waited: .seconds(1))
  }

  /// A log of whatever key, whose records aren't opened.
  private static func openAny(_ path: String, _ context: LogContext, writable: Bool = false) throws(LogError) -> Segment {
    let file: StorageFile
    do throws(SystemError) {
      file = try StorageFile(
        context.system, path: path,
        flags: (writable ? OpenFlag.readWrite : OpenFlag.readOnly) | OpenFlag.noFollow | OpenFlag.nonBlocking,
        isLockable: writable, isQuiet: !writable)
    } catch { throw LogError(error, path: path) }
    let status = try at(path) { () throws(SystemError) in try file.status() }
    guard status.kind == .file, status.byteCount >= SegmentLayout.dataStart else { throw .notALog(path: path) }
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    _ = try at(path) { () throws(SystemError) in try file.read(block, 0..<block.count, at: 0) }
    do throws(SegmentHeader.Fault) {
      let header = try SegmentHeader(parsing: block, as: .keyValueLog)
      return Segment(
        number: SegmentNumber(0), file: file, header: header, words: SegmentWords(file, identifier: header.identifier), keys: nil,
        isTrusted: true, allocatedEnd: status.byteCount, kind: .keyValueLog)
    } catch { throw error.error(path) }
  }

  /// Copies the header and the records up to `end` into a file that then takes the name, with words of its own.
  /// - Parameters:
  ///   - sequence: that the next record has to be above.
  ///   - replaced: the file that loses the name, whose mode stays.
  private static func copy(
    _ source: Segment, to end: UInt64, _ path: String, _ context: LogContext, above sequence: UInt64 = 0,
    like replaced: StorageFile? = nil
  ) throws(LogError) {
    let name = PathParts(path).name
    let directory = StorageDirectory(
      context.system, path: PathParts(path).directory, fileMode: context.directory.fileMode,
      directoryMode: context.directory.directoryMode, forcesModes: context.directory.forcesModes)
    try at(path) { () throws(SystemError) in
      let random = try context.system.randomBytes(8)
      let isMade = try directory.replaceWhole(name, random: random.load(UInt64.self, at: 0)) { file throws(SystemError) in
        try source.copyBytes(to: file, end: end)
        if let replaced { try file.takeMode(of: replaced) }
        try context.writeWords(of: file, source, end: end, above: sequence)
        try file.synchronizeData()
      }
      guard isMade else { throw SystemError(.rename, ErrorNumber.notFound) }
      try directory.synchronize()
    }
  }
}

extension Segment {
  /// Everything but the words.
  fileprivate func copyBytes(to file: StorageFile, end: UInt64) throws(SystemError) {
    let buffer = ByteBuffer(count: 256 << 10)
    let allocated = (end + 4095) & ~4095
    try file.allocate(0..<max(allocated, LogContext.firstByteCount))
    guard try self.file.read(buffer, 0..<SegmentLayout.blockByteCount, at: 0) == SegmentLayout.blockByteCount else {
      throw SystemError(.read, ErrorNumber.inputOutput)
    }
    try file.write(buffer, 0..<SegmentLayout.blockByteCount, at: 0)
    var offset = SegmentLayout.dataStart
    while offset < end {
      let count = Int(min(UInt64(buffer.count), end - offset))
      guard try self.file.read(buffer, 0..<count, at: offset) == count else { throw SystemError(.read, ErrorNumber.inputOutput) }
      try file.write(buffer, 0..<count, at: offset)
      offset += UInt64(count)
    }
  }
}

extension LogContext {
  /// Words of a copy: what the source's say of its records, and of which file and boot they are.
  fileprivate func writeWords(of file: StorageFile, _ source: Segment, end: UInt64, above other: UInt64) throws(SystemError) {
    let words = SegmentWords(file, identifier: source.identifier)
    for word in SegmentLayout.Word.allCases { try words.store(0, word) }
    try words.store(try source.words.load(.lastAppendTime) ?? 0, .lastAppendTime)
    var sequence = try source.words.load(.lastSequence)
    if sequence == nil { sequence = try source.scannedEnd().sequence }
    // One more, so that who listens sees that something changed.
    try words.store(max(sequence ?? 0, other == 0 ? 0 : other + 1), .lastSequence)
    try words.store(end, .committedEnd)
    try words.store(SegmentState.active.rawValue, .state)
    try words.store(SegmentLayout.dataStart, .consumedEnd)
    try words.store(end, .syncedEnd)
    try words.store(bootIdentity, .bootIdentity)
    try words.store(Identity.file(try file.status()), .fileIdentity)
    try words.store(try source.words.load(.liveByteCount) ?? 0, .liveByteCount)
    let index = try source.words.load(.indexBlock) ?? 0
    try words.store(index < end ? index : 0, .indexBlock)
  }
}
