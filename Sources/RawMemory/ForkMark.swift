import CSystem

/// Tells a forked child from the process that opened a handle, without a system call.
///
/// The kernel wipes the mark's page in a child (MADV_WIPEONFORK). A mark is a number and not a flag, because a child that
/// opens handles of its own marks itself anew, and its parent's handles are still not its own.
public enum ForkMark {
  private static let page: Mapping? = {
    let page = Mapping.anonymous(count: sysconf(Int32(_SC_PAGESIZE)))
    return page.wipeOnFork() ? page : nil
  }()

  /// The mark of this process, for a handle to keep: its process id, asked for once.
  public static var current: UInt64 {
    guard let page else { return UInt64(getpid()) }
    let mark = page.loadAcquire(at: 0)
    if mark != 0 { return mark }
    page.storeRelease(UInt64(getpid()), at: 0)
    return page.loadAcquire(at: 0)
  }

  /// Whether the process that took `mark` is this one.
  public static func isCurrent(_ mark: UInt64) -> Bool {
    guard let page else { return UInt64(getpid()) == mark }
    return page.loadAcquire(at: 0) == mark
  }

  /// A mark with what it is compared with: for a handle that asks at every call.
  @safe public struct Kept: Sendable {
    @usableFromInline let page: Mapping?
    @usableFromInline let mark: UInt64

    /// Of this process.
    public init() {
      mark = ForkMark.current
      page = ForkMark.page
    }
    /// Whether the process that made this is this one.
    @inlinable public var isCurrent: Bool { if let page { page.loadAcquire(at: 0) == mark } else { isSameProcess } }
    @usableFromInline var isSameProcess: Bool { UInt64(getpid()) == mark }
  }
}
