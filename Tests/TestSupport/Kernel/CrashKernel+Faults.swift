#if DEBUG
  import CSystem
  package import StorageIO

  extension CrashKernel {
    /// Lets a call fail without being made (a close is made all the same).
    ///
    /// - Parameters:
    ///   - call: nil for any call.
    ///   - ordinal: which one from now; 1 is the next.
    ///   - isPermanent: that call and every later one of its kind.
    package func fail(_ call: SystemCall? = nil, at ordinal: Int = 1, with code: Int32, isPermanent: Bool = false) {
      precondition(ordinal >= 1)
      core.locked {
        core.faults.failures.append(.init(call: call, countdown: ordinal, code: code, isPermanent: isPermanent))
      }
    }

    /// Lets a sync of a file or directory fail with EIO, and forgets its pending operations: later syncs of it succeed and don't
    /// write them.
    ///
    /// - Parameters:
    ///   - ordinal: which sync from now; 1 is the next.
    ///   - ofDirectories: only syncs of directories count.
    package func loseSync(at ordinal: Int = 1, ofDirectories: Bool = false) {
      core.locked { core.faults.syncFaults.append(.init(countdown: ordinal, ofDirectories: ofDirectories, isLoss: true)) }
    }

    /// Lets a sync do nothing and succeed; the next one writes everything.
    package func skipSync(at ordinal: Int = 1, ofDirectories: Bool = false) {
      core.locked { core.faults.syncFaults.append(.init(countdown: ordinal, ofDirectories: ofDirectories, isLoss: false)) }
    }

    /// Takes back all of the above. Limits and budgets stay.
    package func clearFailures() {
      core.locked {
        core.faults.failures = []
        core.faults.interruptionPeriod = nil
        core.faults.syncFaults = []
      }
    }

    /// Every how-manieth call that a signal can interrupt ends with EINTR; at least 2, or callers would try for ever.
    package var interruptionPeriod: Int? {
      get { core.locked { core.faults.interruptionPeriod } }
      set {
        precondition((newValue ?? 2) >= 2)
        core.locked { core.faults.interruptionPeriod = newValue }
      }
    }
    /// How much one read or write moves at most.
    package var transferByteCountMax: Int? {
      get { core.locked { core.faults.transferByteCountMax } }
      set { core.locked { core.faults.transferByteCountMax = newValue } }
    }
    /// EROFS for everything that writes, also through descriptors that are open.
    package var isReadOnly: Bool {
      get { core.locked { core.faults.isReadOnly } }
      set { core.locked { core.faults.isReadOnly = newValue } }
    }
    /// The size of the disk for the contents of all files: ENOSPC behind it.
    package var byteBudget: Int? {
      get { core.locked { core.faults.byteBudget } }
      set { core.locked { core.faults.byteBudget = newValue } }
    }
    package var usedByteCount: Int { core.locked { core.usedByteCount } }
    /// As RLIMIT_FSIZE: a write that crosses it is short, one behind it fails with EFBIG.
    package var fileByteCountMax: Int? {
      get { core.locked { core.faults.fileByteCountMax } }
      set { core.locked { core.faults.fileByteCountMax = newValue } }
    }

    /// How often the call was made, by all processes, failures included.
    package func callCount(_ call: SystemCall) -> Int { core.locked { core.faults.callCounts[call] ?? 0 } }
    package var callCounts: [SystemCall: Int] { core.locked { core.faults.callCounts } }
    package var totalCallCount: Int { core.locked { core.faults.callCounts.values.reduce(0, +) } }
    /// Bytes that `pwrite` took.
    package var bytesWritten: Int { core.locked { core.faults.bytesWritten } }
    package func resetCounts() { core.locked { core.faults.resetCounts() } }
  }
#endif
