extension Durability {
  /// What a machine finds after its power failed now: everything that a name reaches.
  func image(_ choice: CrashChoice) -> Durability {
    let limit = orderLimit(choice)
    var kept: [UInt64: Record] = [:]
    var waiting = [Self.root]
    while let inode = waiting.popLast() {
      guard kept[inode] == nil, let record = records[inode] else { continue }
      let result = survivor(record, choice, limit)
      kept[inode] = result
      waiting.append(contentsOf: result.entries.values)
    }
    return Durability(records: kept)
  }

  private func survivor(_ record: Record, _ choice: CrashChoice, _ limit: Int) -> Record {
    var result = record
    result.pending = []
    for entry in record.pending {
      switch choice {
      case .nothing: break
      case .everything: result.apply(entry.operation)
      case .prefix: if entry.order < limit { result.apply(entry.operation) }
      case .random(let seed, let tearsInsideSectors):
        // Seeded by the operation's place, so that the outcome doesn't hang on the order of a dictionary.
        var generator = SplitMix64(seed: seed ^ UInt64(entry.order) &* 0xD6E8_FEB8_6659_FD93)
        if generator.next() & 1 == 0 { result.applyTorn(entry.operation, tearsInsideSectors, &generator) }
      }
    }
    return result
  }

  /// The order of the first pending operation that a prefix loses.
  private func orderLimit(_ choice: CrashChoice) -> Int {
    guard case .prefix(let count) = choice else { return .max }
    let orders = records.values.flatMap { record in record.pending.map(\.order) }
    return count < orders.count ? orders.sorted()[max(0, count)] : .max
  }
}

extension Durability.Record {
  /// Applies what a disk that lost its power in the middle may have taken of an operation.
  fileprivate mutating func applyTorn(_ operation: KernelOperation, _ insideSectors: Bool, _ generator: inout SplitMix64) {
    let (offset, bytes, unit): (Int, [UInt8], Int)
    switch operation {
    case .write(_, let at, let written): (offset, bytes, unit) = (at, written, 1)
    case .store(_, let at, let stored): (offset, bytes, unit) = (at, stored, 8)
    default: return apply(operation)
    }
    switch generator.next() % 4 {
    case 0: keepSectors(bytes, at: offset, &generator)
    case 1 where insideSectors:
      // Words of a mapping stay whole: the cut is at a multiple of eight of the file.
      let cut = offset + Int(generator.next() % UInt64(bytes.count + 1))
      let end = max(offset, cut / unit * unit)
      if end > offset { put(bytes[..<(end - offset)], at: offset) }
    default: apply(operation)
    }
  }

  private mutating func keepSectors(_ source: [UInt8], at offset: Int, _ generator: inout SplitMix64) {
    var start = offset
    while start < offset + source.count {
      let end = min((start / 512 + 1) * 512, offset + source.count)
      if generator.next() & 1 == 0 { put(source[(start - offset)..<(end - offset)], at: start) }
      start = end
    }
  }
}
