import CSystem
import StorageIO

/// What goes wrong, and the counts that decide when.
struct FaultPlan {
  struct Failure {
    let call: SystemCall?
    var countdown: Int
    let code: Int32
    let isPermanent: Bool
  }

  var failures: [Failure] = []
  /// Every how-manieth interruptible call ends with EINTR.
  var interruptionPeriod: Int?
  private var sinceInterruption = 0
  var transferByteCountMax: Int?
  var isReadOnly = false
  var byteBudget: Int?
  var fileByteCountMax: Int?
  var syncFaults: [SyncFault] = []
  struct SyncFault {
    /// Which sync from now.
    var countdown: Int
    let ofDirectories: Bool
    /// It fails, and what it should have written is lost; else it does nothing, and says that it did.
    let isLoss: Bool
  }

  private(set) var callCounts: [SystemCall: Int] = [:]
  var bytesWritten = 0

  private static let interruptible: Set<SystemCall> = [
    .open, .close, .read, .write, .synchronizeData, .synchronize, .allocate, .truncate, .lock,
  ]

  /// Counts a call. - Returns: the errno with which it fails instead of being made.
  mutating func admit(_ call: SystemCall) -> Int32? {
    callCounts[call, default: 0] += 1
    if let interruptionPeriod, Self.interruptible.contains(call) {
      sinceInterruption += 1
      if sinceInterruption >= interruptionPeriod {
        sinceInterruption = 0
        return EINTR
      }
    }
    var code: Int32?
    for index in failures.indices where failures[index].call == nil || failures[index].call == call {
      failures[index].countdown -= 1
      let isDue = failures[index].isPermanent ? failures[index].countdown <= 0 : failures[index].countdown == 0
      if isDue && code == nil { code = failures[index].code }
    }
    failures.removeAll { !$0.isPermanent && $0.countdown <= 0 }
    return code
  }

  /// What goes wrong with this sync.
  mutating func syncFault(isOfDirectory: Bool) -> SyncFault? {
    for index in syncFaults.indices where isOfDirectory || !syncFaults[index].ofDirectories { syncFaults[index].countdown -= 1 }
    guard let due = syncFaults.firstIndex(where: { $0.countdown == 0 }) else { return nil }
    return syncFaults.remove(at: due)
  }

  mutating func resetCounts() {
    callCounts = [:]
    bytesWritten = 0
  }
}
