#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport

  /// A mailbox prepared for one operation, and what has to hold after it whatever it met.
  final class FaultScene {
    enum Operation: CaseIterable {
      case appendWithDirectory, appendWithSegment, appendFirst, appendSecond, appendGrowing, appendRollingOver, appendUnsynced
      case batch, synchronize, openWriter, openReader, forEachPending, acknowledge, acknowledgeWithGap, removal
      case pendingCount, writerPendingCount, contains, finishingRemoval
    }

    let mailbox: CrashMailbox
    private let operation: Operation
    private let process: KernelProcess
    private let store = StandInStore()
    private var writer: MailboxWriter?
    private var reader: MailboxReader?
    /// Ids that were there before, and those that the operation appends.
    private var earlier: [String] = []
    private var current: [String] = []
    private var positions: [MailboxPosition] = []
    private var acknowledged: [String] = []

    init(_ operation: Operation, _ kind: FileSystemKind) throws {
      self.operation = operation
      var settings = KernelSettings()
      settings.fileSystemKind = kind
      let kernel = CrashKernel(settings)
      mailbox = CrashMailbox(kernel)
      process = kernel.process()
      if operation == .appendWithDirectory { return }
      writer = try open()
      if operation == .appendWithSegment { return }
      let other = try mailbox.writer(kernel)
      for id in ["e1", "e2", "e3"] {
        try other.append(id)
        earlier.append(id)
      }
      other.close()
      try prepare()
    }

    private func open() throws -> MailboxWriter {
      let isUnsynced = [.appendUnsynced, .synchronize].contains(operation)
      var options = mailbox.options(isUnsynced ? .processCrash : .powerLoss)
      // Segments are as small as they get, so that one is full soon.
      if operation == .appendRollingOver { options.capacity = 256 << 10 }
      return try MailboxWriter(directory: CrashMailbox.directory, options: options, system: process)
    }

    private func fill(_ byteCount: Int) throws {
      try writer?.append(id: "filler", payload: [UInt8](repeating: 1, count: byteCount))
    }

    private func prepare() throws {
      switch operation {
      case .appendSecond, .batch, .contains, .writerPendingCount: try fill(10)
      case .appendGrowing: try fill(54_000)
      case .appendRollingOver: try fill(60_000)
      case .appendUnsynced, .synchronize:
        try fill(10)
        try fill(10)
      case .forEachPending, .acknowledge, .acknowledgeWithGap, .removal, .pendingCount:
        reader = try mailbox.reader(process)
        try reader?.forEachPending { positions.append($0.position) }
      case .finishingRemoval:
        let dying = mailbox.kernel.process()
        dying.onReach = { [unowned dying] in if $0 == .segmentMarkedRemoved { dying.kill() } }
        try? StandInPromoter(store).drain(try mailbox.reader(dying))
      default: break
      }
    }

    func run() throws {
      switch operation {
      case .appendWithDirectory:
        writer = try open()
        try append(["c1"])
      case .appendWithSegment, .appendFirst, .appendSecond, .appendUnsynced: try append(["c1"])
      case .appendGrowing, .appendRollingOver: try append(["c1 \(String(repeating: "x", count: 900))", "c2", "c3", "c4", "c5"])
      case .batch: try append(["c1", "c2", "c3"])
      case .synchronize: try writer?.synchronize()
      case .openWriter: _ = try mailbox.writer(process)
      case .openReader, .finishingRemoval: _ = try mailbox.reader(process)
      case .forEachPending: try reader?.forEachPending { _ in }
      case .acknowledge: try acknowledge(...0)
      case .acknowledgeWithGap: try acknowledge(1...1)
      case .removal: try acknowledge(0...2)
      case .pendingCount: _ = try reader?.pendingCount
      case .writerPendingCount: _ = try writer?.pendingCount
      case .contains: _ = try writer?.contains(id: "e3")
      }
    }

    private func append(_ ids: [String]) throws {
      current = ids
      try writer?.append(ids)
    }
    private func acknowledge(_ range: some RangeExpression<Int>) throws {
      acknowledged = Array(earlier[range])
      try reader?.acknowledge(Array(positions[range]))
    }

    /// - Parameter failure: what the operation threw.
    func problems(after failure: LogError?) throws -> [String] {
      var found: [String] = []
      // The same handles go on, or say why they don't and new ones do.
      do {
        try (writer ?? open()).append("later")
      } catch LogError.failedEarlier where failure != nil {
        writer?.close()
        writer = nil
        try open().append("later")
      }
      if let reader { try reader.forEachPending { _ in } }
      writer?.close()
      reader?.close()
      (writer, reader) = (nil, nil)
      if process.descriptorCount != 0 { found.append("\(process.descriptorCount) descriptors are open") }
      if !mailbox.lockedNames.isEmpty { found.append("locked: \(mailbox.lockedNames)") }

      var fresh: MailboxReader? = try mailbox.reader(mailbox.kernel)
      if let fresh { try StandInPromoter(store).drain(fresh) }
      let counts = store.state.insertions
      for id in earlier where counts[id] != 1 && !acknowledged.contains(id) { found.append("\(id): \(counts[id] ?? 0)") }
      let there = current.filter { counts[$0] == 1 }
      if failure == nil, there != current { found.append("appended, and not there") }
      if !there.isEmpty, there.count != current.count { found.append("half a batch: \(there)") }
      if counts["later"] != 1 { found.append("what came later isn't there") }
      for (id, count) in counts where count != 1 { found.append("\(id): \(count)") }
      // Fillers have another payload than follows from their id.
      if store.state.unreadable.count > 2 { found.append("unreadable: \(store.state.unreadable)") }
      fresh?.close()
      fresh = nil
      if !mailbox.names.isEmpty { found.append("left: \(mailbox.names)") }
      return found
    }
  }
#endif
