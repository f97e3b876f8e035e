/// Named places in the life of a segment, each where a death or a stop would hurt most.
///
/// Named after what has just been done: at `recordWritten` the bytes are in place and nothing is published.
package enum Failpoint: UInt8, Sendable, CaseIterable {
  case segmentMade, segmentLinked
  case lockTaken, recordWritten, sequenceStored, recordPublished, lockReleased, recordSynced
  case acknowledged, segmentSealed, segmentMarkedRemoved, saltOverwritten, segmentUnlinked, directorySynced
  case logSuperseding, logReplaced
  case batchPromoted, batchCommitted, batchAcknowledged
}
