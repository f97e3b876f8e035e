#if DEBUG
  import Foundation
  @testable package import RawMemory
  @testable package import StorageIO

  /// The real system calls, and something that happens at named points.
  package final class FailpointCalls: SystemCalls, @unchecked Sendable {
    private struct Trap {
      let point: Failpoint
      var countdown: Int
      let action: @Sendable () -> Void
    }
    private let lock = NSLock()
    private var traps: [Trap] = []
    private var writes: [UInt64: (countdown: Int, action: @Sendable () -> Void)] = [:]
    /// Words of a segment's second block that can be named like points: right before they are written, where they aren't mapped.
    private static let words: [String: UInt64] = [
      "bell": 4096 + 31 * 128, "consumedEnd": 4096 + 4 * 128, "consumedSequence": 4096 + 5 * 128,
    ]
    private let isUnmapped: Bool
    private let modes: Int32?

    /// - Parameters:
    ///   - isUnmapped: whether every file system counts as one that may allocate on overwrite.
    ///   - modes: a file that takes a line of kind, mode and path: `N` for a new file, `F` and `D` for one that gets its name and its directory.
    package init(isUnmapped: Bool = false, modes: String? = nil) {
      self.isUnmapped = isUnmapped
      self.modes = modes.map { path in
        unsafe path.withCString { unsafe Foundation.open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
      }
      super.init()
    }

    /// Runs the action, once, when the point is reached for the given time.
    package func at(_ point: Failpoint, ordinal: Int = 1, _ action: @escaping @Sendable () -> Void) {
      lock.withLock { traps.append(Trap(point: point, countdown: ordinal, action: action)) }
    }
    /// As `at`, by the point's name, or that of a word: before it is written. - Returns: whether there is such a point.
    package func at(_ name: String, ordinal: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
      if let offset = Self.words[name] {
        lock.withLock { writes[offset] = (ordinal, action) }
        return true
      }
      guard let point = Failpoint.allCases.first(where: { "\($0)" == name }) else { return false }
      at(point, ordinal: ordinal, action)
      return true
    }

    package override func reach(_ point: Failpoint) {
      let action: (@Sendable () -> Void)? = lock.withLock {
        var due: (@Sendable () -> Void)?
        for index in traps.indices where traps[index].point == point {
          traps[index].countdown -= 1
          if traps[index].countdown == 0 { due = traps[index].action }
        }
        return due
      }
      action?()
    }
    package override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
      let action: (@Sendable () -> Void)? = lock.withLock {
        guard range.count == 8, let trap = writes[offset] else { return nil }
        writes[offset]?.countdown -= 1
        return trap.countdown == 1 ? trap.action : nil
      }
      action?()
      return super.write(descriptor, buffer, range, at: offset)
    }
    package override func open(_ path: String, flags: Int32, mode: UInt32) -> Int {
      let result = super.open(path, flags: flags, mode: mode)
      if result >= 0, flags & O_CREAT != 0 { note("N", path) }
      return result
    }
    package override func link(_ path: String, to newPath: String) -> Int {
      let result = super.link(path, to: newPath)
      if result >= 0 { noteName(newPath) }
      return result
    }
    package override func rename(_ path: String, to newPath: String) -> Int {
      let result = super.rename(path, to: newPath)
      if result >= 0 { noteName(newPath) }
      return result
    }
    private func noteName(_ path: String) {
      note("F", path)
      note("D", (path as NSString).deletingLastPathComponent)
    }
    private func note(_ kind: String, _ path: String) {
      guard let modes else { return }
      var raw = stat()
      _ = unsafe path.withCString { unsafe stat($0, &raw) }
      emit("\(kind) \(String(raw.st_mode & 0o7777, radix: 8)) \(path)", to: modes)
    }
    package override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      let result = super.fileSystem(path, &kind)
      if isUnmapped, kind == .overwritesInPlace { kind = .mayAllocateAgain }
      return result
    }
  }
#endif
