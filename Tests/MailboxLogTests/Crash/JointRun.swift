#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport

  /// One recorded run of two writers and a drainer, and what was promised at each point of it.
  struct JointRun {
    struct Settings: CustomStringConvertible, Sendable {
      var isEncrypted = false
      var kind = FileSystemKind.overwritesInPlace
      /// Whether the second writer appends without a sync, and synchronizes from time to time.
      var hasUnsyncedWriter = true
      var seed: UInt64 = 1
      var appendCount = 500
      /// Whether a commit may end inside a batch.
      var splitsBatches = false
      var description: String {
        "\(isEncrypted ? "encrypted" : "plain"), \(kind), unsynced \(hasUnsyncedWriter), splits \(splitsBatches), seed \(seed)"
      }
    }
    struct Append {
      let ids: [String]
      /// How many events there were when it began, and when it was promised to survive a loss of power.
      let begin: Int
      var promised: Int?
    }

    let settings: Settings
    let history: KernelHistory
    private(set) var appends: [Append] = []
    /// The store after each commit, and how many events there were then.
    private(set) var commits: [(position: Int, state: StandInState)] = []

    init(_ settings: Settings) throws {
      self.settings = settings
      var kernelSettings = KernelSettings()
      kernelSettings.fileSystemKind = settings.kind
      kernelSettings.seed = settings.seed
      let kernel = CrashKernel(kernelSettings)
      let mailbox = CrashMailbox(kernel, isEncrypted: settings.isEncrypted)
      kernel.startRecording()
      var driver = try Driver(mailbox, settings)
      for number in 0..<settings.appendCount { try driver.step(number) }
      try driver.finish()
      history = kernel.history
      (appends, commits) = Self.read(history.marks, driver)
    }

    /// The marks say when; the driver knows what.
    private static func read(_ marks: [KernelMark], _ driver: Driver) -> ([Append], [(position: Int, state: StandInState)]) {
      var appends = driver.appended.map { Append(ids: $0, begin: 0, promised: nil) }
      var commits: [(position: Int, state: StandInState)] = [(-1, StandInState())]
      for mark in marks {
        let words = mark.label.split(separator: " ")
        guard let number = Int(words[1]) else { continue }
        switch words[0] {
        case "begin": appends[number] = Append(ids: appends[number].ids, begin: mark.position, promised: nil)
        case "promised": appends[number].promised = mark.position
        default: commits.append((mark.position, driver.states.values[number]))
        }
      }
      return (appends, commits)
    }

    /// What the store may hold when the machine stopped after `cut` events: a commit there has happened or has not.
    func states(at cut: Int) -> [StandInState] {
      let certain = commits.last { $0.position < cut }?.state ?? StandInState()
      return [certain] + commits.filter { $0.position == cut }.map(\.state)
    }
  }

  /// The states that were committed; shared by the driver and the hook of its store.
  final class CommittedStates {
    var values: [StandInState] = []
  }
#endif
