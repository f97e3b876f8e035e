import Anteroom
import Synchronization

/// The life of the process: open, drain at each arrival, stop when told to.
struct Daemon {
  /// The codes of `sysexits.h`, which the unit's `RestartPreventExitStatus=` knows.
  private enum Exit { static let usage: Int32 = 64, temporary: Int32 = 75, configuration: Int32 = 78 }

  private let options: DaemonOptions
  private let log = JournalLog()
  private let credentials = Credentials()

  static func main(_ arguments: [String]) async -> Int32 {
    do throws(DaemonOptions.UsageError) {
      let options = try DaemonOptions(arguments)
      if options.isHelp {
        print(DaemonOptions.usage, terminator: "")
        return 0
      }
      return await Daemon(options: options).run()
    } catch {
      JournalLog().tell(.error, "mailbox-drain: \(error.reason); --help says more")
      return Exit.usage
    }
  }

  private init(options: DaemonOptions) { self.options = options }

  private func run() async -> Int32 {
    do {
      if let entry = options.entry {
        let outbox = try MailboxWriter(directory: options.mailbox, options: try credentials.options(options.key))
        try outbox.append(id: entry.id) { fields in fields.set("text", entry.text) }
        return 0
      }
      try await drain()
      return 0
    } catch {
      log.tell(.error, "mailbox-drain: \(error)")
      return Self.exitCode(error)
    }
  }

  private func drain() async throws {
    // Before anything is open: a signal at any moment ends it in the same way.
    let stop = StopRequest()
    let log = log
    let seconds = options.stopTimeout
    let signals = StopSignals {
      log.tell(.info, "told to stop: the batch is finished")
      stop.make()
      StopSignals.exit(Exit.temporary, after: seconds)
    }
    var logOptions = try credentials.options(options.key)
    logOptions.logHandler = { log.tell($0) }
    let inbox = try MailboxReader(directory: options.mailbox, options: logOptions)
    let sink = try await sink(inbox)
    let isOnce = options.isOnce
    let work = Task {
      if isOnce { return try await sink.drain() }
      var count = 0
      // Yields at once when something is pending, so nothing is missed that came before.
      for await _ in inbox.arrivals() { count += try await sink.drain() }
      return count
    }
    stop.end(work)
    log.tell(.info, "ready")
    do { log.tell(.info, "drained \(try await work.value) entries") } catch is CancellationError {}
    await sink.close()
    inbox.close()
    withExtendedLifetime(signals) {}
  }

  private func sink(_ inbox: MailboxReader) async throws -> any DrainSink {
    guard case .store(let file)? = options.sink else { return LineSink(inbox: inbox) }
    let key = try options.storeKey.map { StorageConfiguration.Encryption.key(try credentials.data($0)) }
    return try await StoreSink(inbox, file: file, key: key ?? .none, log: log)
  }

  /// What starting again can't mend is told from what may pass.
  private static func exitCode(_ error: any Error) -> Int32 {
    if error is Credentials.Missing || error is SecretStoreError { return Exit.configuration }
    if case PromotionError.mailbox(let inner) = error { return exitCode(inner) }
    switch error {
    case LogError.wrongKey, LogError.keyRequired, LogError.keyNotExpected, LogError.invalidKeyLength: return Exit.configuration
    case StorageError.wrongKey, StorageError.keyRequired, StorageError.keyNotExpected: return Exit.configuration
    default: return Exit.temporary
    }
  }
}

/// That the process was told to stop, whether its work has begun or not.
private final class StopRequest: Sendable {
  private let state = Mutex((isMade: false, work: Task<Int, any Error>?.none))

  func make() {
    state.withLock { state in
      state.isMade = true
      state.work?.cancel()
    }
  }

  func end(_ work: Task<Int, any Error>) {
    state.withLock { state in
      state.work = work
      if state.isMade { work.cancel() }
    }
  }
}
