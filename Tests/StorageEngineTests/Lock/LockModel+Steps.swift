extension LockModelState {
  /// One step of a reader, as `LockFile.register` and the places of slots do it.
  mutating func step(reader place: Int, _ rules: LockModelRules) throws(LockModelViolation) {
    var reader = self[reader: place]
    defer { self[reader: place] = reader }
    let process = Self.process(place, reader.generation)
    switch reader.step {
    case .done: break
    case .load:
      reader.version = published
      reader.step = reader.hasSlot ? .store : .claim
    case .claim:
      if reader.index > 1 {
        // The file grows; nobody else has that slot, so nothing can go wrong with it.
        reader.index = 0
        reader.step = .done
      } else if self[slot: reader.index].owner == 0 {
        self[slot: reader.index].owner = rules.ownersDiffer ? process : UInt8(place) + 1
        self[slot: reader.index].process = process
        reader.hasSlot = true
        reader.step = rules.storesBeforeLooking ? .store : .look
      } else if isDead(self[slot: reader.index].process) {
        reader.seen = self[slot: reader.index].owner
        reader.step = .reclaim
      } else {
        reader.index += 1
      }
    case .reclaim:
      reclaim(reader.index, from: reader.seen, rules)
      reader.seen = 0
      reader.step = .claim
    case .store:
      self[slot: reader.index].version = reader.version
      reader.step = rules.storesBeforeLooking && rules.looksAgain ? .look : .read
      if reader.step == .read { try begin(&reader) }
    case .look:
      if published == reader.version {
        reader.step = rules.storesBeforeLooking ? .read : .store
        if reader.step == .read { try begin(&reader) }
      } else {
        // Starts over; what it stored goes with the next store.
        reader.step = .load
      }
    case .read: reader.step = .drop
    case .drop:
      self[slot: reader.index].version = 0
      reader.version = 0
      reader.roundsLeft -= 1
      reader.step = reader.roundsLeft > 0 ? .load : .done
    }
  }

  private func begin(_ reader: inout LockModelReader) throws(LockModelViolation) {
    if gone & 1 << reader.version != 0 { throw .overwritten }
  }

  private mutating func reclaim(_ index: UInt8, from owner: UInt8, _ rules: LockModelRules) {
    if !rules.leavesVersions { self[slot: index].version = 0 }
    if self[slot: index].owner == owner { self[slot: index].owner = 0 }
  }

  /// One step of the writer: a transaction looks who pins what, uses the rest again, and publishes.
  mutating func stepWriter(_ rules: LockModelRules) throws(LockModelViolation) {
    switch writer.step {
    case .done: break
    case .begin:
      writer.base = published
      writer.pinned = 0
      writer.index = 0
      writer.step = .owner
    case .owner:
      let slot = self[slot: writer.index]
      if slot.owner == 0 {
        nextSlot(rules)
      } else if isDead(slot.process) {
        writer.seen = slot.owner
        writer.step = .reclaim
      } else {
        writer.step = .version
      }
    case .version:
      writer.pinned |= 1 << self[slot: writer.index].version & ~1
      nextSlot(rules)
    case .reclaim:
      reclaim(writer.index, from: writer.seen, rules)
      writer.seen = 0
      nextSlot(rules)
    case .reuse:
      let newest = rules.scansAfterPublishing ? writer.base : published
      for version in 1..<max(newest, 1) where writer.pinned & 1 << version == 0 { gone |= 1 << version }
      for place in 0..<2 where self[reader: place].step == .read && gone & 1 << self[reader: place].version != 0 {
        throw .overwritten
      }
      if rules.scansAfterPublishing { writer.step = .publish } else { endTransaction() }
    case .publish:
      published = writer.base + 1
      if rules.scansAfterPublishing { endTransaction() } else { writer.step = .reuse }
    }
  }

  private mutating func nextSlot(_ rules: LockModelRules) {
    writer.index += 1
    writer.step = writer.index < 2 ? .owner : rules.scansAfterPublishing ? .reuse : .publish
  }

  private mutating func endTransaction() {
    let left = writer.transactionsLeft - 1
    writer = LockModelWriter(transactionsLeft: left)
    if left == 0 { writer.step = .done }
  }

  /// Ends a reader at once; a process that starts afterwards may get its place.
  mutating func kill(reader place: Int) {
    let generation = self[reader: place].generation + 1
    self[reader: place] = LockModelReader(generation: generation, roundsLeft: 1)
    killsLeft -= 1
  }
}
