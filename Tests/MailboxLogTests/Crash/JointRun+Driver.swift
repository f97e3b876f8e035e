#if DEBUG
  import MailboxLog
  import RawMemory
  import StorageIO
  import TestSupport

  extension JointRun {
    /// Takes one step of the run after the other. Every choice follows from the seed.
    struct Driver {
      private let mailbox: CrashMailbox
      private let settings: Settings
      private var generator: SplitMix64
      private var writers: [(writer: MailboxWriter, isDurable: Bool)] = []
      private var promoter: StandInPromoter
      private var reader: MailboxReader
      private let holder: KernelProcess
      private var held: StorageFile?
      private var unsynced: [Int] = []
      private(set) var appended: [[String]] = []
      let states = CommittedStates()

      init(_ mailbox: CrashMailbox, _ settings: Settings) throws {
        self.mailbox = mailbox
        self.settings = settings
        generator = SplitMix64(seed: settings.seed)
        holder = mailbox.kernel.process()
        let store = StandInStore()
        store.onCommit = { [states, kernel = mailbox.kernel] state in
          kernel.mark("commit \(states.values.count)")
          states.values.append(state)
        }
        promoter = StandInPromoter(store)
        promoter.leavesGaps = true
        reader = try mailbox.reader(mailbox.kernel.process())
        writers = [(try openWriter(isDurable: true), true), (try openWriter(isDurable: !settings.hasUnsyncedWriter), true)]
        writers[1].isDurable = !settings.hasUnsyncedWriter
      }

      private func openWriter(isDurable: Bool) throws -> MailboxWriter {
        try mailbox.writer(mailbox.kernel.process(), isDurable ? .powerLoss : .processCrash)
      }
      private mutating func chance(_ oneIn: UInt64) -> Bool { generator.next() % oneIn == 0 }

      mutating func step(_ number: Int) throws {
        // Somebody stops with the lock of the newest segment for a while: the others go on in another one. Where words go through
        // `pwrite`, an acknowledgement would wait for it.
        if number % 50 == 20, settings.kind == .overwritesInPlace, let newest = mailbox.segments.last {
          let file = try StorageFile(holder, path: mailbox.path(newest), flags: OpenFlag.readWrite, isLockable: true)
          if try file.tryLock() { held = file }
        } else if number % 50 == 32 {
          held?.unlock()
          held = nil
        }
        try append(number, by: Int(generator.next() % 2))
        if chance(12) { try step(limit: settings.splitsBatches ? 7 : .max) }
        if number % 125 == 124 {
          try synchronize()
          for index in writers.indices where chance(2) {
            writers[index].writer.close()
            writers[index].writer = try openWriter(isDurable: writers[index].isDurable)
          }
          reader = try mailbox.reader(mailbox.kernel.process())
        }
      }

      private mutating func append(_ number: Int, by index: Int) throws {
        let count = chance(7) ? Int(generator.next() % 4) + 2 : 1
        let ids = (0..<count).map { "\(number).\($0) of \(count)" }
        appended.append(ids)
        mailbox.kernel.mark("begin \(number)")
        try writers[index].writer.append(ids)
        if writers[index].isDurable {
          mailbox.kernel.mark("promised \(number)")
        } else {
          unsynced.append(number)
          if chance(5) { try synchronize() }
        }
        mailbox.kernel.step(.milliseconds(1))
      }

      private mutating func synchronize() throws {
        for index in writers.indices where !writers[index].isDurable { try writers[index].writer.synchronize() }
        for number in unsynced { mailbox.kernel.mark("promised \(number)") }
        unsynced = []
      }

      private mutating func step(limit: Int) throws {
        promoter.limit = limit
        try promoter.step(reader)
      }

      mutating func finish() throws {
        held?.unlock()
        held = nil
        promoter.limit = settings.splitsBatches ? 7 : .max
        try promoter.drain(reader)
      }
    }
  }
#endif
