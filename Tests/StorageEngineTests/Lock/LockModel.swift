/// How the protocol of slots is, and how it would be with a mistake in it.
struct LockModelRules: Sendable {
  /// A reader looks at the published version again.
  var looksAgain = true
  /// It does so after the slot is stored.
  var storesBeforeLooking = true
  /// A writer looks through the slots after the version that it builds on was published.
  var scansAfterPublishing = true
  /// The words of two processes differ also when one has the other's id.
  var ownersDiffer = true
  /// Who reclaims a slot leaves the version in it.
  var leavesVersions = true
}

/// What must never be.
enum LockModelViolation: String, Error {
  case overwritten = "a version was overwritten that a living process reads"
  case pinnedForEver = "a version stays pinned by a process that is dead"
}

/// What is shared: the published version and two slots.
struct LockModelSlot: Hashable {
  /// 0: free.
  var owner: UInt8 = 0
  /// Which process it really is.
  var process: UInt8 = 0
  var version: UInt8 = 0
}

/// A process that pins a version, reads it and lets go, twice; it may be killed between any two steps, and another one then has its place.
struct LockModelReader: Hashable {
  enum Step: UInt8 { case done, load, claim, reclaim, store, look, read, drop }
  var step = Step.load
  var generation: UInt8 = 0
  var roundsLeft: UInt8
  var version: UInt8 = 0
  /// The slot that it has, or looks at.
  var index: UInt8 = 0
  var hasSlot = false
  var seen: UInt8 = 0
}

/// The one that holds the data file's lock; it commits a few times.
struct LockModelWriter: Hashable {
  enum Step: UInt8 { case done, begin, owner, version, reclaim, reuse, publish }
  var step = Step.begin
  var transactionsLeft: UInt8
  var base: UInt8 = 0
  var pinned: UInt8 = 0
  var index: UInt8 = 0
  var seen: UInt8 = 0
}

struct LockModelState: Hashable {
  var published: UInt8 = 1
  /// Versions whose pages were used again, a bit each.
  var gone: UInt8 = 0
  var slots = (LockModelSlot(), LockModelSlot())
  var readers: (LockModelReader, LockModelReader)
  var writer: LockModelWriter
  var killsLeft: UInt8

  init(transactions: UInt8, rounds: (UInt8, UInt8), kills: UInt8) {
    readers = (LockModelReader(roundsLeft: rounds.0), LockModelReader(roundsLeft: rounds.1))
    writer = LockModelWriter(transactionsLeft: transactions)
    killsLeft = kills
    for place in 0..<2 where self[reader: place].roundsLeft == 0 { self[reader: place].step = .done }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.published == b.published && a.gone == b.gone && a.slots == b.slots && a.readers == b.readers && a.writer == b.writer
      && a.killsLeft == b.killsLeft
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(UInt32(published) | UInt32(gone) << 8 | UInt32(killsLeft) << 16)
    hasher.combine(slots.0)
    hasher.combine(slots.1)
    hasher.combine(readers.0)
    hasher.combine(readers.1)
    hasher.combine(writer)
  }

  subscript(slot index: UInt8) -> LockModelSlot {
    get { index == 0 ? slots.0 : slots.1 }
    set { if index == 0 { slots.0 = newValue } else { slots.1 = newValue } }
  }
  subscript(reader place: Int) -> LockModelReader {
    get { place == 0 ? readers.0 : readers.1 }
    set { if place == 0 { readers.0 = newValue } else { readers.1 = newValue } }
  }

  /// Every process is another; its id may be one that a dead one had.
  static func process(_ place: Int, _ generation: UInt8) -> UInt8 { UInt8(place) + 1 + 2 * generation }
  func isDead(_ process: UInt8) -> Bool {
    let place = Int(process - 1) % 2
    return self[reader: place].generation > (process - 1) / 2
  }
}
