import CSystem
import Synchronization

/// One page between guard pages, out of core dumps, out of swap where the limits allow, and empty in a forked child. Secrets share it,
/// because each such page costs four and 25 microseconds.
///
/// - 64 slots of 64 bytes. Slot 0 is no secret: its first word is the *presence word*, one bit a filled slot. A fork wipes it along
///   with the secrets, so a child can tell a wiped secret from one that it made itself.
/// - `taken` says which slots have an owner. It lives outside the page: in a child the slots of wiped secrets stay taken.
/// - A slot without an owner holds zeros only. It is wiped before its bit in `taken` is cleared.
/// - Pages form a list that only grows. A page is freed only if it never got into a list that is still in use.
@safe final class GuardedPage: @unchecked Sendable {
  static let slotByteCount = 64

  /// Where the secrets of this process go.
  static let first = GuardedPage()

  private let base: UnsafeMutableRawPointer
  private let taken = Atomic<UInt64>(1)
  private let next = AtomicLazyReference<GuardedPage>()
  /// Whether the kernel took the mark. Without it a child holds the secrets of its parent.
  let isWipedOnFork: Bool

  init() {
    let byteCount = Int(getpagesize())
    precondition(byteCount >= 64 * Self.slotByteCount)
    guard let address = unsafe GuardedMemory.allocatePage(byteCount) else { fatalError("out of memory") }
    unsafe base = address
    let isAligned = UInt(bitPattern: address) % UInt(byteCount) == 0
    isWipedOnFork = unsafe isAligned && anteroom_wipe_on_fork(address, byteCount) == 0
  }

  deinit {
    unsafe anteroom_keep_on_fork(base)
    unsafe GuardedMemory.free(base, Int(getpagesize()))
  }

  /// How many pages the list has from here on.
  var pageCount: Int {
    var count = 1
    var page = self
    while let following = page.next.load() {
      count += 1
      page = following
    }
    return count
  }

  /// A free slot of this page or a later one; a further page when all are taken.
  func takeSlot() -> GuardedSlot {
    var page = self
    while true {
      if let index = page.takeIndex() { return GuardedSlot(page: page, index: index) }
      // Of two threads that make a page at once, one wins, and the other's page is freed.
      page = page.next.load() ?? page.next.storeIfNil(GuardedPage())
    }
  }

  private func takeIndex() -> Int? {
    var seen = taken.load(ordering: .relaxed)
    while seen != .max {
      let index = (~seen).trailingZeroBitCount
      // Acquiring: the zeros of the owner before are in place.
      let (exchanged, original) = taken.weakCompareExchange(
        expected: seen, desired: seen | 1 << UInt64(index), ordering: .acquiringAndReleasing)
      if exchanged { return index }
      seen = original
    }
    return nil
  }

  fileprivate func giveBack(_ index: Int) {
    setPresence(of: index, to: false)
    unsafe GuardedMemory.wipe(address(index), Self.slotByteCount)
    taken.bitwiseAnd(~(1 << UInt64(index)), ordering: .releasing)
  }

  @inline(__always) fileprivate func isPresent(_ index: Int) -> Bool {
    unsafe anteroom_load_acquire(base) & 1 << UInt64(index) != 0
  }

  fileprivate func setPresence(of index: Int, to isPresent: Bool) {
    while true {
      let seen = unsafe anteroom_load_acquire(base)
      let bit: UInt64 = 1 << UInt64(index)
      if unsafe anteroom_compare_exchange(base, seen, isPresent ? seen | bit : seen & ~bit) { return }
    }
  }

  fileprivate func address(_ index: Int) -> UnsafeMutableRawPointer {
    precondition(index > 0 && index < 64)
    return unsafe base + index * Self.slotByteCount
  }
}

/// A slot that somebody took; they alone use it, until they give it back.
struct GuardedSlot: Sendable {
  let page: GuardedPage
  let index: Int

  /// Whether it was filled in this process and not given back: false in a child forked since then.
  var isPresent: Bool { page.isPresent(index) }

  /// Lends all 64 bytes to be written, wipes those from `count` on, and marks the slot as filled.
  func fill(count: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    let address = unsafe page.address(index)
    let bytes = unsafe address.assumingMemoryBound(to: UInt8.self)
    var span = unsafe MutableSpan<UInt8>(_unsafeStart: bytes, count: GuardedPage.slotByteCount)
    body(&span)
    unsafe GuardedMemory.wipe(address + count, GuardedPage.slotByteCount - count)
    page.setPresence(of: index, to: true)
  }

  /// Lends the first `count` bytes, whatever they are.
  func read<R, E: Error>(count: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    let bytes = unsafe page.address(index).assumingMemoryBound(to: UInt8.self)
    precondition(count <= GuardedPage.slotByteCount)
    return try body(unsafe Span<UInt8>(_unsafeStart: bytes, count: count))
  }

  /// Wipes the slot and lets others have it.
  func giveBack() { page.giveBack(index) }
}
