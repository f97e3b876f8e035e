/// Key material, 1 to 64 bytes, in the process's guarded page.
///
/// Guarantee: the bytes are wiped when the last owner lets go, they never move, and a child forked later doesn't have them
/// (``isPresent``). The bytes are constant, so threads share them freely.
package final class SecretBytes: Sendable {
  /// How many bytes, `1...64`.
  package let count: Int
  private let slot: GuardedSlot

  /// Copies key material into the guarded page; wiping `bytes` is the caller's.
  ///
  /// - Parameter bytes: 1 to 64 of them; another number is a programming error.
  /// - Complexity: O(1). The first secret of a process, and each 63rd that lives at the same time, costs a page (25 to 80 us).
  package convenience init(copying bytes: Span<UInt8>) {
    self.init(count: bytes.count) { target in
      for index in bytes.indices { target[index] = bytes[index] }
    }
  }

  /// Draws a secret from the system's random number generator.
  ///
  /// - Parameter count: bytes, `1...64`.
  /// - Complexity: one system call, beyond what ``init(copying:)`` takes.
  package static func random(count: Int) -> SecretBytes {
    SecretBytes(count: count) { CryptoLibrary.randomize(&$0, count: count) }
  }

  /// Lets `body` write all 64 bytes of the slot in guarded memory; those from `count` on are wiped after it.
  init(count: Int, in page: GuardedPage = .first, filling body: (inout MutableSpan<UInt8>) -> Void) {
    precondition(count >= 1 && count <= GuardedPage.slotByteCount, "a secret has 1 to 64 bytes")
    self.count = count
    slot = page.takeSlot()
    slot.fill(count: count, body)
  }

  deinit { slot.giveBack() }

  /// Whether this process has the bytes: false in a child forked after the secret was made.
  ///
  /// - Complexity: O(1), no system call.
  package var isPresent: Bool { slot.isPresent }

  /// Lends the bytes where they are; don't copy them out of guarded memory.
  ///
  /// In a child forked since, the call traps: zeros in place of a key would seal everything under a key that anybody knows. Ask
  /// ``isPresent`` first where that can happen.
  /// - Throws: what `body` throws.
  /// - Complexity: O(1), no system call.
  package func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    precondition(isPresent, "the secret stayed with the process that this one was forked from")
    return try slot.read(count: count, body)
  }
}
