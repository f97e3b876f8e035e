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

    /// Runs a program in a fresh process, with empty input and no output, to its end.
    ///
    /// - Parameter arguments: the program's path first.
    /// - Returns: nil where processes can't be measured.
    package func measure(_ arguments: [String]) -> ProcessCost? {
      #if os(Linux)
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        var cost = anteroom_cost()
        guard unsafe anteroom_measure(&pointers, &cost) == 0 else { return nil }
        return ProcessCost(
          peakByteCount: cost.peak_kib << 10, pageFaultCount: cost.page_faults,
          systemCallCount: cost.is_traced ? cost.system_calls : nil, writtenByteCount: cost.is_traced ? cost.written_bytes : nil,
          exitStatus: cost.exit_status)
      #else
        return nil
      #endif
    }

    /// The path of the program that runs; nil where it can't be told.
    package func ownExecutable() -> String? {
      let buffer = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
        count = unsafe max(0, readlink("/proc/self/exe", bytes.baseAddress!, 4096))
      }
      return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
    }
  }
#endif
