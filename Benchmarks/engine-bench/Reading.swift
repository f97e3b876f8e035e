import CEngineMeasure
import Dispatch
import RawMemory
import StorageEngine

func getAll(_ snapshot: Snapshot, _ keys: Keys) throws(EngineError) {
  guard let tree = try snapshot.tree("entries") else { fatalError("the tree is missing") }
  var sum = 0
  try keys.forEach { key throws(EngineError) in
    let byte = try tree.withValue(forKey: key) { value throws(EngineError) in Int(value.load(UInt8.self, at: value.byteCount / 2)) }
    guard let byte else { fatalError("a key is missing") }
    sum += byte
  }
  precondition(sum > 0)
}

func scan(_ snapshot: Snapshot, _ keys: Keys) throws(EngineError) {
  guard let tree = try snapshot.tree("entries") else { fatalError("the tree is missing") }
  var (sum, count) = (0, 0)
  var cursor = tree.cursor()
  var isThere = try cursor.first()
  while isThere {
    sum += cursor.withKey { key in Int(key.load(UInt8.self, at: 0)) }
    sum += try cursor.withValue { value throws(EngineError) in Int(value.load(UInt8.self, at: value.byteCount / 2)) }
    count += 1
    isThere = try cursor.next()
  }
  precondition(sum > 0 && count == keys.count)
}

/// Once to warm up; then by each thread, over a version of its own.
func inThreads(_ workload: Workload, _ body: @Sendable (Snapshot, Keys) throws(EngineError) -> Void) throws(EngineError) {
  let keys = Keys(0, count: workload.entryCount, isRandom: true, isShuffled: true)
  let engine = try workload.open()
  try body(try engine.snapshot(), keys)
  measure_begin()
  if workload.threadCount == 1 {
    try body(try engine.snapshot(), keys)
  } else {
    DispatchQueue.concurrentPerform(iterations: workload.threadCount) { _ in
      do { try body(try engine.snapshot(), keys) } catch { fatalError("\(error)") }
    }
  }
  measure_end()
  measure_report(UInt64(workload.entryCount * workload.threadCount), 0)
}

func beginSnapshots(_ workload: Workload) throws(EngineError) {
  let engine = try workload.open()
  measure_begin()
  for _ in 0..<workload.operationCount { _ = try engine.snapshot() }
  measure_end()
  measure_report(UInt64(workload.operationCount), 0)
}

/// The first that a process does with a store, and all that it does.
func openAndGet(_ workload: Workload) throws(EngineError) {
  let keys = Keys(workload.entryCount / 2, count: 1, isRandom: false)
  measure_begin()
  try getFirst(workload, keys)
  measure_end()
  measure_report(1, 0)
}

private func getFirst(_ workload: Workload, _ keys: Keys) throws(EngineError) {
  let tree = try workload.open().snapshot().tree("entries")
  try keys.forEach { key throws(EngineError) in
    guard let tree, try tree.contains(key) else { fatalError("a key is missing") }
  }
}
