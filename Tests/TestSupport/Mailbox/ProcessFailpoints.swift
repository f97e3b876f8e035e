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
    private var bell: (@Sendable () -> Void)?
    private var sync: (@Sendable () -> Void)?
    private let isUnmapped: Bool

    /// - Parameter isUnmapped: whether every file system counts as one that may allocate on overwrite.
    package init(isUnmapped: Bool = false) {
      self.isUnmapped = isUnmapped
      super.init()
    }

    /// Runs the action, once, when the point is reached for the given time.
    package func at(_ point: Failpoint, ordinal: Int = 1, _ action: @escaping @Sendable () -> Void) {
      lock.withLock { traps.append(Trap(point: point, countdown: ordinal, action: action)) }
    }
    /// As `at`, by the point's name. - Returns: whether there is such a point; `bell` is the one right before a ring.
    package func at(_ name: String, ordinal: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
      if name == "bell" {
        beforeBell(action)
        return true
      }
      guard let point = Failpoint.allCases.first(where: { "\($0)" == name }) else { return false }
      at(point, ordinal: ordinal, action)
      return true
    }
    /// Runs the action, once, in place of the write that wakes listeners, which is made afterwards.
    package func beforeBell(_ action: @escaping @Sendable () -> Void) { lock.withLock { bell = action } }
    /// Runs the action at each sync of data.
    package func beforeSync(_ action: @escaping @Sendable () -> Void) { lock.withLock { sync = action } }

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
      if range.count == 8, offset == 4096 + 31 * 128 {
        let action = lock.withLock {
          defer { bell = nil }
          return bell
        }
        action?()
      }
      return super.write(descriptor, buffer, range, at: offset)
    }
    package override func synchronizeData(_ descriptor: Int32) -> Int {
      lock.withLock { sync }?()
      return super.synchronizeData(descriptor)
    }
    package override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      let result = super.fileSystem(path, &kind)
      if isUnmapped, kind == .overwritesInPlace { kind = .mayAllocateAgain }
      return result
    }
  }
#endif
