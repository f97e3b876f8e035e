#if canImport(Darwin)
  import CSystem

  extension SystemCalls {
    func liveProcessLiveness(_ process: Int32, _ startTime: inout UInt64?) -> ProcessLiveness {
      // 0 and below would ask for whole groups.
      guard process > 0 else { return .unknown }
      if kill(process, 0) != 0 {
        switch anteroom_errno() {
        case ESRCH: return .dead
        case EPERM: break
        default: return .unknown
        }
      }
      // An app's sandbox may keep other processes from its eyes.
      guard let status = liveProcessStatus(process) else { return .alive }
      if status.hasEnded { return .dead }
      startTime = status.startTime
      return .alive
    }

    /// In microseconds since 1970, in place of ticks since the boot: compared only with itself.
    func liveProcessStatus(_ process: Int32) -> ProcessStatus? {
      let start = anteroom_process_start(process)
      return start < 0 ? nil : ProcessStatus(startTime: UInt64(start), hasEnded: start == 0)
    }

    /// All processes see the same numbers.
    func liveProcessNamespace() -> UInt64 { 1 }
    /// The kernel gives a program none that it shows.
    func liveProcessImage() -> [UInt8]? { nil }
  }
#endif
