import RawMemory
package import StorageIO
import Synchronization

extension LockFile {
  /// A version that this handle pins.
  package struct Slot: Sendable {
    package let version: UInt64
    let place: Place

    /// Where a slot is; it belongs to a handle until that gives it back.
    struct Place: Sendable {
      let chunk: Mapping
      let offset: Int
    }
  }

  /// A version that somebody pins.
  package struct Pin: Sendable {
    package let version: UInt64
    package let process: Int32
    /// In nanoseconds of the monotonic clock.
    package let since: UInt64
    /// By this process.
    package let isSelf: Bool
    /// The process is gone; the slot goes with the next look that reclaims.
    package let isKnownDead: Bool
  }

  /// Pins a version, if it is still the published one.
  ///
  /// Stored first, then looked at again: a writer that publishes another version before the second look may have missed the slot; one
  /// that publishes later looks through the slots later still, and finds it.
  /// - Returns: nil when another version has been published: nothing is pinned, and the caller begins again with that one.
  /// - Throws: when all slots are taken and the file can't grow; nothing is pinned.
  /// - Complexity: O(1), no system call, when the handle has had as many slots before.
  package func register(_ version: UInt64) throws(SystemError) -> Slot? {
    guard isOwnProcess else { throw SystemError(.lock, ErrorNumber.notPermitted) }
    let place = try takePlace()
    place.pin(version, since: system.monotonicNanoseconds())
    if published == version { return Slot(version: version, place: place) }
    giveIdle(place)
    return nil
  }

  /// Pins the published version, whichever that is by then.
  package func registerPublished() throws(SystemError) -> Slot {
    // Ends: each round means that somebody committed meanwhile.
    while true { if let slot = try register(published) { return slot } }
  }

  /// Lets go of what `register` returned, once. - Complexity: O(1), no system call.
  package func unregister(_ slot: Slot) { if isOwnProcess { giveIdle(slot.place) } }

  private func giveIdle(_ place: Slot.Place) {
    place.unpin()
    idle.withLock { $0.append(place) }
  }

  private func takePlace() throws(SystemError) -> Slot.Place {
    if let place = idle.withLock({ $0.popLast() }) { return place }
    while true {
      let chunks = try chunks.all()
      if let place = claim(chunks) { return place }
      // What the dead left is enough for somebody who needs a single one.
      for chunk in chunks { forEachSlot(chunk) { reclaim($0) } }
      if let place = claim(chunks) { return place }
      try self.chunks.grow()
    }
  }

  private func claim(_ chunks: [Mapping]) -> Slot.Place? {
    for chunk in chunks {
      for index in 0..<LockLayout.slotCount(chunkByteCount: chunk.count) {
        let place = Slot.Place(chunk: chunk, index: index)
        if place.owner == 0, place.claim(owner) { return place }
      }
    }
    return nil
  }

  @discardableResult
  private func reclaim(_ place: Slot.Place) -> Bool {
    let word = place.owner
    guard word != 0, owner.isProvenDead(word, image: place.image, start: place.start, system) else { return false }
    return place.reclaim(from: word)
  }

  private func forEachSlot(_ chunk: Mapping, _ body: (Slot.Place) -> Void) {
    for index in 0..<LockLayout.slotCount(chunkByteCount: chunk.count) { body(Slot.Place(chunk: chunk, index: index)) }
  }

  /// Who pins what, this process included.
  ///
  /// - Parameter reclaimingDead: for a writer: slots of the dead are freed and left out; whether somebody lives is asked only where a slot
  ///   holds a version other than the published one, since only those keep pages from being used again. Without it, for statistics:
  ///   everybody is asked about, and nothing is changed.
  /// - Throws: when what another process appended can't be mapped: nothing may be used again then.
  /// - Complexity: O(slots), no system call; seven for each other process that is asked about, one if it is gone.
  package func pinned(reclaimingDead: Bool) throws(SystemError) -> [Pin] {
    let published = published
    var pins: [Pin] = []
    var known: [Verdict] = []
    for chunk in try chunks.all() {
      forEachSlot(chunk) { place in
        let word = place.owner
        guard word != 0, let version = place.version else { return }
        let isSelf = word == owner.word && (place.image == 0 || place.image == owner.image)
        var isDead = false
        if !isSelf, !reclaimingDead || version != published { isDead = judge(place, word, &known) }
        if isDead, reclaimingDead, place.reclaim(from: word) { return }
        pins.append(
          Pin(version: version, process: LockOwner.process(word), since: place.since, isSelf: isSelf, isKnownDead: isDead))
      }
    }
    return pins
  }

  private struct Verdict {
    let word: UInt64
    let image: UInt64
    let start: UInt64
    let isDead: Bool
  }
  /// Asks about each owner once a look.
  private func judge(_ place: Slot.Place, _ word: UInt64, _ known: inout [Verdict]) -> Bool {
    let (image, start) = (place.image, place.start)
    if let verdict = known.first(where: { $0.word == word && $0.image == image && $0.start == start }) { return verdict.isDead }
    let isDead = owner.isProvenDead(word, image: image, start: start, system)
    known.append(Verdict(word: word, image: image, start: start, isDead: isDead))
    return isDead
  }
}
