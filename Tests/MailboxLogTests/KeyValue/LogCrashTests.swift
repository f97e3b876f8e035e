#if DEBUG
  import MailboxLog
  import StorageIO
  import TestSupport
  import Testing

  /// A loss of power after every event of a run of operations: what was acknowledged as durable is there, each change is whole or absent,
  /// and no key comes back.
  @Suite struct LogCrashTests {
    private typealias State = [String: Int]

    private struct Run {
      let kernel: CrashKernel
      var states: [State] = [[:]]
      var log: KeyValueLog

      init(key: EncryptionKey?, durability: LogDurability) throws {
        kernel = CrashKernel(KernelSettings(), isRecording: true)
        var options = LogOptions(key: key)
        options.durability = durability
        log = try KeyValueLog(path: "/a.kvlog", options: options, system: kernel.process())
      }

      /// Notes a state that a crash from here on may leave, or, once it is promised, the oldest that it may.
      mutating func change(_ body: (KeyValueLog) throws -> Void, _ model: (inout State) -> Void) throws {
        var state = states[states.count - 1]
        model(&state)
        states.append(state)
        kernel.mark("may \(states.count - 1)")
        try body(log)
        kernel.mark("must \(states.count - 1)")
      }
    }

    private func run(_ key: EncryptionKey?, _ durability: LogDurability) throws -> Run {
      var run = try Run(key: key, durability: durability)
      for number in 0..<12 {
        try run.change({ try $0.set(number, forKey: "k\(number % 5)") }, { $0["k\(number % 5)"] = number })
      }
      try run.change({ try $0.removeValue(forKey: "k1") }, { $0["k1"] = nil })
      try run.change(
        { try $0.update { batch in for number in 0..<4 { batch.set(-number, forKey: "b\(number)") } } },
        { for number in 0..<4 { $0["b\(number)"] = -number } })
      try run.change({ try $0.compact() }, { _ in })
      for number in 0..<4 { try run.change({ try $0.set(number, forKey: "c\(number)") }, { $0["c\(number)"] = number }) }
      try run.change({ try $0.removeAll() }, { $0 = [:] })
      try run.change({ try $0.set(1, forKey: "after") }, { $0["after"] = 1 })
      try run.change({ try $0.compact() }, { _ in })
      try run.change({ try $0.set(2, forKey: "end") }, { $0["end"] = 2 })
      return run
    }

    @Test(arguments: [false, true], [LogDurability.powerLoss, .processCrash])
    func everyCut(isSealed: Bool, durability: LogDurability) throws {
      let key = isSealed ? EncryptionKey.random() : nil
      let run = try run(key, durability)
      let history = run.kernel.history
      for position in 0...history.count {
        let marks = history.marks(upTo: position).map(\.label)
        let newest = marks.last { $0.hasPrefix("may") }.flatMap { Int($0.dropFirst(4)) } ?? 0
        let promised = durability == .powerLoss ? marks.last { $0.hasPrefix("must") }.flatMap { Int($0.dropFirst(5)) } ?? 0 : 0
        for choice in [CrashChoice.nothing, .everything] {
          let image = history.image(after: position, choice)
          var options = LogOptions(key: key)
          options.durability = durability
          guard let log = try? KeyValueLog(path: "/a.kvlog", options: options, system: image.process()) else {
            #expect(promised == 0, "cut \(position): the log can't be opened")
            continue
          }
          var found: State = [:]
          try log.forEach { entry in found[entry.key] = try entry.value(Int.self) }
          let possible = run.states[promised...newest]
          #expect(possible.contains(found), "cut \(position), \(choice): \(found), promised \(promised), newest \(newest)")
          // It goes on from there.
          try log.set(99, forKey: "more")
          #expect(try KeyValueLog(path: "/a.kvlog", options: options, system: image.process()).int(forKey: "more") == 99)
        }
      }
    }
  }
#endif
