import RawMemory
import Sealing
import StorageIO
import Synchronization

/// Who holds slots: a process in one word, so that one compare-exchange takes a slot and says for whom.
///
/// 32 bits of the PID namespace (0: not known), 22 bits of the process id, 10 bits that tell its start from other starts (0: not known).
/// They are there so that a slot that changed hands between a look and a compare-exchange is never taken for the one that was looked at,
/// also where both processes have the same id.
struct LockOwner: Sendable {
  let word: UInt64
  let startTime: UInt64
  /// Of this program image: 0 where the system doesn't say.
  let image: UInt64

  init(process: Int32, namespace: UInt64, startTime: UInt64?, image: UInt64) {
    // An id that doesn't fit is one that nobody can judge.
    let isKnown = process > 0 && process < 1 << 22 && namespace <= UInt64(UInt32.max)
    let id = isKnown ? UInt64(process) : 0x3F_FFFF
    word = (isKnown ? namespace << 32 : 0) | id << 10 | Self.mark(startTime ?? 0)
    self.startTime = startTime ?? 0
    self.image = image
  }

  static func process(_ word: UInt64) -> Int32 { Int32(word >> 10 & 0x3F_FFFF) }
  static func namespace(_ word: UInt64) -> UInt64 { word >> 32 }
  static func mark(ofWord word: UInt64) -> UInt64 { word & 1023 }
  static func mark(_ startTime: UInt64) -> UInt64 { startTime == 0 ? 0 : startTime % 1023 + 1 }

  /// This process, asked for once for the real system, and again after a fork.
  static func current(_ system: SystemCalls) -> LockOwner {
    guard system === SystemCalls.live else { return LockOwner(asking: system) }
    let mark = ForkMark.current
    if knownMark.load(ordering: .acquiring) == mark { return LockOwner() }
    let owner = LockOwner(asking: system)
    knownWord.store(owner.word, ordering: .relaxed)
    knownStart.store(owner.startTime, ordering: .relaxed)
    knownImage.store(owner.image, ordering: .relaxed)
    knownMark.store(mark, ordering: .releasing)
    return owner
  }

  private init() {
    word = Self.knownWord.load(ordering: .relaxed)
    startTime = Self.knownStart.load(ordering: .relaxed)
    image = Self.knownImage.load(ordering: .relaxed)
  }
  private init(asking system: SystemCalls) {
    let process = system.processIdentity()
    // Hashed: the bytes also guard this process's stack.
    let digest = system.processImage().map { Digest.sha256($0.span) } ?? []
    self.init(
      process: process, namespace: system.processNamespace(), startTime: system.processStartTime(process),
      image: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  private static let knownMark = Atomic<UInt64>(0)
  private static let knownWord = Atomic<UInt64>(0)
  private static let knownStart = Atomic<UInt64>(0)
  private static let knownImage = Atomic<UInt64>(0)
}

extension LockOwner {
  /// Whether the process behind a slot's words is proven dead: in this process's PID namespace, where no such process runs, or one that
  /// started at another time. What can't be known isn't proven.
  func isProvenDead(_ word: UInt64, image otherImage: UInt64, start: UInt64, _ system: SystemCalls) -> Bool {
    let namespace = Self.namespace(self.word)
    guard namespace != 0, Self.namespace(word) == namespace else { return false }
    let process = Self.process(word)
    if process == Self.process(self.word) {
      // The id is this process's own by now.
      if differs(word, start, from: startTime) { return true }
      return otherImage != 0 && image != 0 && otherImage != image
    }
    var now: UInt64?
    switch system.processLiveness(process, startTime: &now) {
    case .dead: return true
    case .unknown: return false
    case .alive: return differs(word, start, from: now ?? 0)
    }
  }

  /// Whether a start that is known is another than `now`, which is 0 if it isn't known.
  private func differs(_ word: UInt64, _ start: UInt64, from now: UInt64) -> Bool {
    if now == 0 { return false }
    let mark = Self.mark(ofWord: word)
    return mark != 0 && mark != Self.mark(now) || start != 0 && start != now
  }
}
