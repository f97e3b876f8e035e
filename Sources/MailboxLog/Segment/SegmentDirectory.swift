import RawMemory
import StorageIO

/// The segments of a mailbox, by name; making new ones.
extension LogContext {
  /// Numbers in ascending order. - Parameter cleaning: whether temporary files of dead makers are removed on the way.
  func segmentNumbers(cleaning: Bool) throws(LogError) -> [SegmentNumber] {
    var numbers: [SegmentNumber] = []
    try forEachName(cleaning: cleaning) { name in if let number = SegmentNumber(name: name) { numbers.append(number) } }
    numbers.sort()
    return numbers
  }

  /// Removes temporary files of dead makers.
  func removeLitter() throws(LogError) { try forEachName(cleaning: true) { _ in } }

  private func forEachName(cleaning: Bool, _ body: (Span<UInt8>) -> Void) throws(LogError) {
    var litter: [String] = []
    let prefix = StorageDirectory.temporaryPrefix
    try at(directory.path) { () throws(SystemError) in
      try directory.forEachName { name in
        if cleaning, name.count > prefix.utf8.count, name.extracting(first: prefix.utf8.count).equals(prefix) {
          litter.append(name.decodedString())
        } else {
          body(name)
        }
      }
    }
    for name in litter { directory.removeIfLitter(name) }
  }

  /// The segment with the highest number, below `bound` if there is one: what a writer tries. Without an array, whose type a process
  /// that appends once would have to make first.
  func newestSegment(below bound: SegmentNumber? = nil) throws(LogError) -> SegmentNumber? {
    var newest: SegmentNumber?
    try at(directory.path) { () throws(SystemError) in
      try directory.forEachName { name in
        guard let number = SegmentNumber(name: name) else { return }
        if let bound, number >= bound { return }
        if let known = newest, known >= number { return }
        newest = number
      }
    }
    return newest
  }

  /// Makes the next segment, whole under its name and locked for its maker.
  ///
  /// - Returns: nil when another process had the name first: look again.
  /// - Throws: `noSpace`, or a system call's error; nothing is left behind.
  func makeSegment(_ number: SegmentNumber) throws(LogError) -> Segment? {
    let made = try makeFile(number.name, number, .mailboxSegment, isSynced: options.durability ?? .powerLoss == .powerLoss)
    if made != nil { report(.segmentCreated, "segment \(number.name) made") }
    return made
  }

  /// Makes a file of either kind, as `makeSegment` does.
  func makeFile(_ name: String, _ number: SegmentNumber, _ kind: LogFileKind, isSynced: Bool) throws(LogError) -> Segment? {
    let path = directory.path(of: name)
    return try at(path) { () throws(SystemError) in
      let random = try system.randomBytes(56)
      var block: ByteBuffer?
      let made = try directory.makeWhole(name, random: random.load(UInt64.self, at: 48)) { file throws(SystemError) in
        block = try format(file, kind, key: fileKey, random: random)
        if isSynced { try file.synchronizeData() }
      }
      guard let file = made, let block else { return nil }
      return try segment(file, number, kind, header: block, key: fileKey)
    }
  }

  /// Writes header and words of a new file. - Parameter random: 48 bytes and more. - Returns: the header.
  func format(_ file: StorageFile, _ kind: LogFileKind, key: FileKey?, random: ByteBuffer) throws(SystemError) -> ByteBuffer {
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    SegmentHeader.write(to: block, random: random, createdAt: system.realtimeMicroseconds(), key: key, as: kind)
    // Space first: a full disk is then an error here and never a signal at a store.
    try file.allocate(0..<firstAllocation)
    try file.write(block, 0..<block.count, at: 0)
    try writeFirstWords(of: file, identifier: SegmentHeader.identifier(in: block))
    return block
  }

  /// A file that `format` has just made.
  func segment(
    _ file: StorageFile, _ number: SegmentNumber, _ kind: LogFileKind, header block: ByteBuffer, key: FileKey?
  ) throws(SystemError) -> Segment {
    guard let header = try? SegmentHeader(parsing: block, as: kind) else { throw SystemError(.write, ErrorNumber.inputOutput) }
    return Segment(
      number: number, file: file, header: header, words: SegmentWords(file, identifier: header.identifier),
      keys: key.map { SegmentKeys($0, header: block) }, isTrusted: true, allocatedEnd: firstAllocation, kind: kind)
  }

  /// What a new segment has allocated, headers included.
  static let firstByteCount: UInt64 = 64 << 10
  var firstAllocation: UInt64 { max(Self.firstByteCount, UInt64(system.pageByteCount)) }

  private func writeFirstWords(of file: StorageFile, identifier: MailboxSegmentID) throws(SystemError) {
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    let coding = WordCoding(identifier: identifier)
    let status = try file.status()
    func set(_ word: SegmentLayout.Word, _ value: UInt64) {
      let offset = Int(word.offset - SegmentLayout.wordsStart)
      block.store(coding.encode(value, index: word.rawValue), at: offset)
    }
    for word in SegmentLayout.Word.allCases { set(word, 0) }
    set(.committedEnd, SegmentLayout.dataStart)
    set(.consumedEnd, SegmentLayout.dataStart)
    set(.state, SegmentState.active.rawValue)
    set(.bootIdentity, bootIdentity)
    set(.fileIdentity, Identity.file(status))
    try file.write(block, 0..<block.count, at: SegmentLayout.wordsStart)
  }

  /// On return every name of the mailbox, its own included, survives a loss of power.
  func synchronizeNames() throws(SystemError) {
    try directory.synchronize()
    do throws(SystemError) { try StorageDirectory.synchronize(system, directory.path + "/..") } catch {
      // A parent that this user may not read can't be synced by it, and was made by somebody else.
      guard error.code == ErrorNumber.noPermission || error.code == ErrorNumber.notPermitted else { throw error }
    }
  }

  /// Bytes that all segments have allocated.
  func allocatedByteCount() throws(LogError) -> UInt64 {
    var sum: UInt64 = 0
    for number in try segmentNumbers(cleaning: false) {
      var status: FileStatus?
      if system.status(path: directory.path(of: number.name), &status) == 0, let status { sum += status.byteCount }
    }
    return sum
  }
  static let capacityDefault: UInt64 = 256 << 20
}
