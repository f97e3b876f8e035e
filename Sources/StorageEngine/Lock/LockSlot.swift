import RawMemory

/// The words of a slot and the order in which they change.
///
/// - Whoever takes a slot does so by the owner's word, which alone says whose it is: a death right behind it leaves a slot that others
///   can judge. What follows may be missing, and then less is known.
/// - Whoever frees a slot clears `image` and `start` before. So they never speak of somebody else than the owner; when two reclaim
///   at once, the slower one may clear what the next owner stored, which makes that one harder to judge and nothing else.
/// - Only the owner stores `version`: nobody else may let go of it. What the dead left pins too much until the next owner stores its own.
extension LockFile.Slot.Place {
  private typealias Word = LockLayout.Slot

  init(chunk: Mapping, index: Int) {
    self.init(chunk: chunk, offset: LockLayout.Chunk.slots + index * Word.byteCount)
  }

  var owner: UInt64 { chunk.loadSequential(at: offset + Word.owner) }
  var image: UInt64 { chunk.loadSequential(at: offset + Word.image) }
  var start: UInt64 { chunk.loadSequential(at: offset + Word.start) }
  var since: UInt64 { chunk.loadSequential(at: offset + Word.since) }
  var version: UInt64? {
    let stored = chunk.loadSequential(at: offset + Word.version)
    return stored == 0 ? nil : stored - 1
  }

  func claim(_ owner: LockOwner) -> Bool {
    guard chunk.compareExchange(expected: 0, desired: owner.word, at: offset + Word.owner) else { return false }
    chunk.storeSequential(owner.startTime, at: offset + Word.start)
    chunk.storeSequential(owner.image, at: offset + Word.image)
    return true
  }

  func pin(_ version: UInt64, since: UInt64) {
    chunk.storeRelease(since, at: offset + Word.since)
    chunk.storeSequential(version &+ 1, at: offset + Word.version)
  }
  func unpin() { chunk.storeSequential(0, at: offset + Word.version) }

  /// By the owner.
  func giveBack() {
    unpin()
    clearIdentity()
    chunk.storeSequential(0, at: offset + Word.owner)
  }

  /// From an owner who is proven dead. - Returns: whether this call freed it; false when somebody else was faster.
  func reclaim(from word: UInt64) -> Bool {
    guard owner == word else { return false }
    clearIdentity()
    return chunk.compareExchange(expected: word, desired: 0, at: offset + Word.owner)
  }

  private func clearIdentity() {
    chunk.storeSequential(0, at: offset + Word.image)
    chunk.storeSequential(0, at: offset + Word.start)
  }
}
