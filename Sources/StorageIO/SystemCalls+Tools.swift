#if !hasFeature(Embedded)
  import CSystem

  /// What one run of a program took.
  package struct ProcessCost: Sendable {
    package let peakByteCount: UInt64
    /// Minor and major ones.
    package let pageFaultCount: UInt64
    /// nil where they can't be counted.
    package let systemCallCount: UInt64?
    /// What it dirtied or wrote, in whole pages; nil where that can't be told.
    package let writtenByteCount: UInt64?
    /// As a shell shows it.
    package let exitStatus: Int32
  }

  extension SystemCalls {
    package enum Limit: Sendable { case coreDump, descriptors, fileByteCount, lockedMemory }

    /// nil when there is none.
    package func limit(_ limit: Limit) -> UInt64? {
      let value =
        switch limit {
        case .coreDump: anteroom_limit(anteroom_core_limit())
        case .descriptors: anteroom_limit(anteroom_descriptor_limit())
        case .fileByteCount: anteroom_limit(anteroom_file_size_limit())
        case .lockedMemory: anteroom_limit(anteroom_locked_memory_limit())
        }
      return value == .max ? nil : value
    }
  }
#endif
