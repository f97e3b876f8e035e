#if DEBUG
  import CSystem
  import RawMemory
  @testable import StorageIO

  /// A kernel in memory that knows what was *written* from what is *durable*, and is the first of its own processes.
  ///
  /// Each file and each directory keeps what was done since its last sync. A crash image is a new kernel with the durable state
  /// and a chosen part of the rest. Paths are absolute; there are no symbolic links and no permission checks.
  package final class CrashKernel: KernelProcess, @unchecked Sendable {
    /// - Parameter isRecording: keep every event, so that `history` can make an image after each of them.
    package convenience init(_ settings: KernelSettings = KernelSettings(), isRecording: Bool = false) {
      self.init(Durability(), settings, isRecording: isRecording)
    }

    init(_ durability: Durability, _ settings: KernelSettings, isRecording: Bool = false) {
      super.init(KernelCore(durability, settings))
      if isRecording { startRecording() }
    }

    /// Another process of the same machine.
    package func process() -> KernelProcess { KernelProcess(core) }
    package func release(locksOf process: KernelProcess) { process.releaseLocks() }
    package func kill(_ process: KernelProcess) { process.kill() }

    /// The machine after a power failure at this moment: another boot, no descriptors, no locks, no faults, not recording.
    package func crashImage(_ choice: CrashChoice) -> CrashKernel {
      core.locked { CrashKernel(core.durability.image(choice), core.settings.nextBoot) }
    }
    /// How many operations are not durable yet, over all files and directories.
    package var pendingCount: Int { core.locked { core.durability.pendingCount } }

    /// Forgets what was recorded and records from here.
    package func startRecording() {
      core.locked {
        core.isRecording = true
        core.recordingStart = core.durability
        core.events = []
        core.marks = []
      }
    }
    /// What was recorded up to now.
    package var history: KernelHistory {
      core.locked { KernelHistory(core.recordingStart, core.events, core.marks, core.settings) }
    }
    /// Notes in the history what the application has promised by now.
    package func mark(_ label: String) {
      core.locked { core.marks.append(KernelMark(position: core.events.count, label: label)) }
    }
    package var marks: [KernelMark] { core.locked { core.marks } }

    /// Clocks, page size, file-system kind, boot identity: all may change while processes run.
    package var settings: KernelSettings {
      get { core.locked { core.settings } }
      set { core.locked { core.settings = newValue } }
    }
    /// Lets time pass on both clocks.
    package func step(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      core.locked { core.step(nanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)) }
    }
  }

  extension KernelSettings {
    fileprivate init(after settings: KernelSettings) {
      self = settings
      bootIdentity = settings.bootIdentity + 1
      seed = settings.seed &+ 1
      monotonicNanoseconds = 1_000_000_000
    }
    /// The same machine, started again.
    var nextBoot: KernelSettings { KernelSettings(after: self) }
  }
#endif
