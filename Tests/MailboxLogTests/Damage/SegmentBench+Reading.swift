import StorageIO
import Testing

@testable import MailboxLog

/// What came out of a damaged mailbox.
struct Outcome {
  var delivered: [UInt64: KnownEntry] = [:]
  /// Entries of other segments.
  var others: [KnownEntry] = []
  var damage: [DamageReport] = []
  var events: [LogEvent.Kind] = []
  /// Sequences of the bench's segment, in the order in which they came.
  var order: [UInt64] = []
}

extension SegmentBench {
  /// Reads everything that waits, without acknowledging it. - Throws: what opening or reading throws.
  func read(_ recovery: LogRecoveryPolicy = .report) throws(LogError) -> Outcome {
    var outcome = Outcome()
    let reader = try reader(recovery)
    outcome.damage = try reader.damage()
    try reader.forEachPending { entry in
      if entry.position.segment == segmentID {
        outcome.order.append(entry.position.sequence)
        outcome.delivered[entry.position.sequence] = KnownEntry(entry)
      } else {
        outcome.others.append(KnownEntry(entry))
      }
    }
    outcome.events = events.values.map(\.kind)
    reader.close()
    return outcome
  }

  /// No wrong value, nothing twice, in order, and no part of a batch.
  func expectRight(_ outcome: Outcome, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.order == outcome.order.sorted(), comment, sourceLocation: sourceLocation)
    #expect(Set(outcome.order).count == outcome.order.count, comment, sourceLocation: sourceLocation)
    for (sequence, entry) in outcome.delivered {
      #expect(entry == known[sequence], "wrong value of \(sequence): \(comment)", sourceLocation: sourceLocation)
      let missing = batch(of: sequence).intersection(pending).subtracting(outcome.delivered.keys)
      #expect(missing.isEmpty, "part of a batch: \(comment)", sourceLocation: sourceLocation)
    }
  }

  /// As `expectRight`; and all is there but `lost`, and what is lost is reported.
  /// - Parameter isDamaged: whether damage is reported, also where nothing that waits is lost by it.
  func expect(
    _ outcome: Outcome, lost: Set<UInt64>, isDamaged: Bool? = nil, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRight(outcome, comment, sourceLocation: sourceLocation)
    let missing = pending.subtracting(outcome.delivered.keys)
    #expect(missing == lost, comment, sourceLocation: sourceLocation)
    #expect(outcome.damage.isEmpty != (isDamaged ?? !lost.isEmpty), comment, sourceLocation: sourceLocation)
    if !lost.isEmpty { #expect(outcome.events.contains(.damageFound), comment, sourceLocation: sourceLocation) }
  }

  /// Appends after the damage: a new position, behind everything that was there, and readable.
  func expectAppend(lost: Set<UInt64>, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = bytes ?? []
    let writer = try writer()
    let position = try writer.append(id: "after", payload: [1, 2, 3])
    writer.close()
    if position.segment == segmentID {
      #expect(position.sequence > (known.keys.max() ?? 0), comment, sourceLocation: sourceLocation)
      let after = bytes ?? []
      let data = Int(SegmentLayout.dataStart)..<committedEnd
      #expect(after[data] == before[data], "records overwritten: \(comment)", sourceLocation: sourceLocation)
    }
    var found = 0
    let reader = try reader()
    var delivered: Set<UInt64> = []
    try reader.forEachPending { entry in
      if entry.position == position, entry.id == "after", entry.payload == [1, 2, 3] { found += 1 }
      if entry.position.segment == segmentID { delivered.insert(entry.position.sequence) }
    }
    reader.close()
    #expect(found == 1, comment, sourceLocation: sourceLocation)
    #expect(pending.subtracting(delivered) == lost, comment, sourceLocation: sourceLocation)
  }
}

/// A segment with entries of every kind: empty, small, large, fields, a batch of five, a value with a copy of a frame in it; the first
/// two consumed, two more acknowledged behind a gap.
func variedBench(isEncrypted: Bool) throws -> SegmentBench {
  let bench = try SegmentBench(isEncrypted: isEncrypted, acknowledged: [1, 2, 8, 12]) { writer in
    try writer.append(id: "first", payload: [])
    try writer.append(id: "second", payload: [UInt8](repeating: 2, count: 10))
    try writer.append(id: "third", payload: (0..<300).map { UInt8(truncatingIfNeeded: $0) })
    try writer.append(id: "fourth", schemaVersion: 3) { fields in
      fields.set("text", "four")
      fields.set("n", 4)
    }
    try writer.append(id: "fifth", payload: plausibleFrames)
    try writer.appendBatch { batch in
      for i in 1...5 { batch.append(id: "batch:\(i)", payload: [UInt8](repeating: UInt8(i), count: 20 * i)) }
    }
    try writer.append(id: "eleventh", payload: [UInt8](repeating: 11, count: 3000))
    try writer.append(id: "twelfth") { $0.set("text", "twelve") }
    try writer.append(id: "thirteenth", payload: [13])
    try writer.append(id: "fourteenth", payload: [UInt8](repeating: 14, count: 64))
  }
  #expect(bench.known.count == 14)
  return bench
}

/// Bytes that look like headers of frames as far as their numbers go.
let plausibleFrames: [UInt8] = {
  var bytes: [UInt8] = []
  for i in 0..<6 {
    var frame = [UInt8](repeating: 0, count: SegmentLayout.Frame.body)
    func put(_ value: Int, _ at: Int) { for k in 0..<4 { frame[at + k] = UInt8(truncatingIfNeeded: value >> (8 * k)) } }
    put(128 + 8 * i, SegmentLayout.Frame.totalByteCount)
    put(8 + 8 * i, SegmentLayout.Frame.valueByteCount)
    put(4 + i, SegmentLayout.Frame.sequence)
    put(1, SegmentLayout.Frame.batchCount)
    frame[SegmentLayout.Frame.kind] = 1
    bytes += frame
  }
  return bytes
}()
