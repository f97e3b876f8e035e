import CSystem
import Synchronization
import TestSupport
import Testing

@testable import MailboxLog
@testable import RawMemory
@testable import StorageIO

/// The real calls, with a note of every file that was made and how it was marked.
private final class ProtectionCalls: SystemCalls, @unchecked Sendable {
  struct Notes {
    /// Made, and not marked yet.
    var unmarked: Set<Int32> = []
    var marks: [FileProtection] = []
    var directories: [String] = []
    var writtenUnmarked = 0
  }
  let notes = Mutex(Notes())

  override func open(_ path: String, flags: Int32, mode: UInt32) -> Int {
    let result = super.open(path, flags: flags, mode: mode)
    if result >= 0, flags & O_CREAT != 0 { notes.withLock { _ = $0.unmarked.insert(Int32(result)) } }
    return result
  }
  override func protect(_ descriptor: Int32, _ protection: FileProtection) -> Int {
    notes.withLock {
      $0.unmarked.remove(descriptor)
      $0.marks.append(protection)
    }
    return super.protect(descriptor, protection)
  }
  override func protect(directory path: String, _ protection: FileProtection) -> Int {
    notes.withLock { $0.directories.append(path) }
    return super.protect(directory: path, protection)
  }
  override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    notes.withLock { if $0.unmarked.contains(descriptor) { $0.writtenUnmarked += 1 } }
    return super.write(descriptor, buffer, range, at: offset)
  }
}

/// What is asked of Apple's systems about files and errors, on calls that make a note of it.
@Suite struct ProtectionTests {
  @Test(arguments: [
    (LogFileProtection.complete, FileProtection.ProtectionClass.complete), (.completeUnlessOpen, .completeUnlessOpen),
    (.completeUntilFirstUserAuthentication, .completeUntilFirstUserAuthentication),
  ])
  func everyFileOfAMailboxIsMarkedBeforeAByteIsInIt(
    option: LogFileProtection, expected: FileProtection.ProtectionClass
  ) throws {
    let place = TemporaryDirectory()
    let calls = ProtectionCalls()
    var options = LogOptions()
    options.fileProtection = option
    options.excludedFromBackup = false
    options.capacity = 1 << 20
    options.overflow = .dropOldest
    let outbox = try MailboxWriter(directory: place.path(of: "a.mailbox"), options: options, system: calls)
    for number in 0..<40 { try outbox.append(id: "\(number)", payload: [UInt8](repeating: 1, count: 100_000)) }
    let notes = calls.notes.withLock { $0 }
    #expect(notes.marks.count > 3 && notes.unmarked.isEmpty && notes.writtenUnmarked == 0)
    #expect(notes.marks.allSatisfy { $0.protectionClass == expected && !$0.isExcludedFromBackup })
    #expect(notes.directories == [place.path(of: "a.mailbox")])
  }

  @Test func theDefaultsAreForALockedDevice() throws {
    let place = TemporaryDirectory()
    let calls = ProtectionCalls()
    let log = try KeyValueLog(path: place.path(of: "a.kvlog"), options: LogOptions(), system: calls, nonceObserver: nil)
    try log.set("b", forKey: "a")
    try log.compact()
    let notes = calls.notes.withLock { $0 }
    #expect(notes.marks.count >= 2 && notes.unmarked.isEmpty && notes.writtenUnmarked == 0)
    #expect(notes.marks.allSatisfy { $0.protectionClass == .completeUntilFirstUserAuthentication && $0.isExcludedFromBackup })
  }

  /// A page that is touched while the device is locked would end the process.
  @Test func nothingIsMappedUnderTheStrictestClass() throws {
    let place = TemporaryDirectory()
    for (protection, maps) in [(LogFileProtection.complete, false), (.completeUnlessOpen, true)] {
      var options = LogOptions()
      options.fileProtection = protection
      let context = try LogContext.open(InPlaceCalls(), place.path, options, nil)
      #expect(context.mapsFiles == maps)
    }
  }
}

/// A file system that overwrites in place, whatever the temporary directory is on.
private final class InPlaceCalls: SystemCalls, @unchecked Sendable {
  override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
    kind = .overwritesInPlace
    return 0
  }
}
