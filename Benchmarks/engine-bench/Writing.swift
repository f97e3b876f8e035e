import CEngineMeasure
import Glibc
import RawMemory
import StorageEngine

func insert(_ workload: Workload, isRandom: Bool) throws(EngineError) {
  let bytes = value
  let keys = Keys(0, count: workload.entryCount, isRandom: isRandom)
  let engine = try workload.open()
  measure_begin()
  let transaction = try engine.begin()
  let tree = try transaction.handle("entries")
  try keys.forEach { key throws(EngineError) in _ = try transaction.put(key, bytes.span.raw, in: tree) }
  _ = try transaction.commit(.processCrash)
  measure_end()
  measure_report(UInt64(workload.entryCount), 0)
}

func deleteAll(_ workload: Workload) throws(EngineError) {
  let keys = Keys(0, count: workload.entryCount, isRandom: true, isShuffled: true)
  let engine = try workload.open()
  measure_begin()
  let transaction = try engine.begin()
  let tree = try transaction.handle("entries")
  try keys.forEach { key throws(EngineError) in
    if !(try transaction.delete(key, in: tree)) { fatalError("a key is missing") }
  }
  _ = try transaction.commit(.processCrash)
  measure_end()
  measure_report(UInt64(workload.entryCount), 0)
}

private func put(_ engine: Engine, _ key: RawSpan, _ durability: EngineDurability) throws(EngineError) {
  let bytes = value
  let transaction = try engine.begin()
  _ = try transaction.put(key, bytes.span.raw, in: "entries")
  _ = try transaction.commit(durability)
}

/// New keys when synced, known ones when not; with `--pinned` while the version before all of them is held.
func putEach(_ workload: Workload, _ durability: EngineDurability) throws(EngineError) {
  let isNew = durability == .powerLoss
  let keys = Keys(
    isNew ? workload.entryCount : 0, count: isNew ? workload.operationCount : workload.entryCount, isRandom: true, isShuffled: true)
  let engine = try workload.open()
  let pinned = workload.isPinned ? try engine.snapshot() : nil
  measure_begin()
  try keys.forEach(0..<workload.operationCount) { key throws(EngineError) in try put(engine, key, durability) }
  measure_end()
  withExtendedLifetime(pinned) {}
  measure_report(UInt64(workload.operationCount), 0)
}

/// Dies in the middle of a transaction, with commits behind it that weren't synced.
func crash(_ workload: Workload) throws(EngineError) {
  let bytes = value
  let keys = Keys(workload.entryCount, count: 1000, isRandom: true)
  let engine = try workload.open()
  try keys.forEach(0..<100) { key throws(EngineError) in try put(engine, key, .ordered) }
  let transaction = try engine.begin()
  try keys.forEach(100..<1000) { key throws(EngineError) in _ = try transaction.put(key, bytes.span.raw, in: "entries") }
  kill(getpid(), SIGKILL)
}
