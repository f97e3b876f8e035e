import CSystem

/// Tells a forked child from the process that opened a handle, without a system call.
///
/// The kernel wipes the mark's page in a child (MADV_WIPEONFORK), so a handle's mark reads 0 there.
package enum ForkMark {
  private static let page: Mapping? = {
    let count = 4096
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address = unsafe address, unsafe address != anteroom_map_failed() else { return nil }
    guard unsafe anteroom_wipe_on_fork(address, count) == 0 else { return nil }
    let page = unsafe Mapping(owning: address, count: count, fileOffset: 0)
    return page
  }()

  /// Sets the mark in this process: what a handle does when it is opened. A child that opens its own marks itself anew,
  /// so a mark is a random number and not a flag.
  package static func current(orSetting random: UInt64) -> UInt64 {
    guard let page else { return 0 }
    let mark = page.loadAcquire(at: 0)
    if mark != 0 { return mark }
    _ = page.compareExchange(expected: 0, desired: random | 1, at: 0)
    return page.loadAcquire(at: 0)
  }

  /// Whether the process that took `mark` is this one.
  package static func isCurrent(_ mark: UInt64) -> Bool {
    guard let page else { return mark == 0 }
    return page.loadAcquire(at: 0) == mark
  }
}
