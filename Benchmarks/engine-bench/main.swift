// One workload with one store of the engine, measured by itself and said in one line. The peers do the same in C.
import CEngineMeasure
import Glibc
import StorageEngine

let usage = """
  engine-bench MODE FILE ENTRIES [OPERATIONS] [--sealed] [--pinned] [--threads N] [--dirty-bytes N]
    insert-sequential, insert-random  a new store, in one transaction that isn't synced
    get, scan, delete                 all entries, by each thread, a second time
    durable, update                   a transaction an entry: new keys, synced; known keys, not synced
    snapshot                          begin and end
    crash, open                       commit, begin to write, die; open and read one entry
    empty                             nothing: what a process of this kind costs by itself
  """

guard let workload = Workload(CommandLine.arguments.dropFirst()) else {
  print(usage)
  exit(2)
}
do throws(EngineError) {
  switch workload.mode {
  case "empty": measure_report(0, 0)
  case "insert-sequential": try insert(workload, isRandom: false)
  case "insert-random": try insert(workload, isRandom: true)
  case "get": try inThreads(workload, getAll)
  case "scan": try inThreads(workload, scan)
  case "delete": try deleteAll(workload)
  case "durable": try putEach(workload, .powerLoss)
  case "update": try putEach(workload, .processCrash)
  case "snapshot": try beginSnapshots(workload)
  case "crash": try crash(workload)
  case "open": try openAndGet(workload)
  default:
    print(usage)
    exit(2)
  }
} catch {
  print("engine-bench: \(error)")
  exit(1)
}
