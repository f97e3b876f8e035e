#if os(Linux) && !hasFeature(Embedded)
  import CSystem

  extension SystemCalls {
    /// Runs a program in a fresh process, with empty input and no output, to its end.
    ///
    /// - Parameter arguments: the program's path first.
    /// - Returns: nil when the process could not be started.
    package func measure(_ arguments: [String]) -> ProcessCost? {
      var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
      unsafe pointers.append(nil)
      defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
      var cost = anteroom_cost()
      guard unsafe anteroom_measure(&pointers, &cost) == 0 else { return nil }
      return ProcessCost(
        peakByteCount: cost.peak_kib << 10, pageFaultCount: cost.page_faults,
        systemCallCount: cost.is_traced ? cost.system_calls : nil, writtenByteCount: cost.is_traced ? cost.written_bytes : nil,
        exitStatus: cost.exit_status)
    }

    /// A path by which an open file can be opened once more, whatever became of its name; nil without `/proc`.
    package func path(ofOpen descriptor: Int32) -> String? { "/proc/self/fd/\(descriptor)" }

    /// The path of the program that runs; nil where it can't be told.
    package func ownExecutable() -> String? {
      let buffer = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
        count = unsafe max(0, readlink("/proc/self/exe", bytes.baseAddress!, 4096))
      }
      return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
    }
  }
#endif
