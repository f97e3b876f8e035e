#if DEBUG
  package import MailboxLog
  package import StorageIO

  /// A mailbox in a test kernel: opened by any of its processes with the same options, and looked at from outside.
  package struct CrashMailbox {
    package static let directory = "/data/inbox.mailbox"
    package static let key = makeKey()
    package let kernel: CrashKernel
    package let isEncrypted: Bool
    /// Told of what its readers and writers report.
    package var logHandler: (@Sendable (LogEvent) -> Void)?

    package init(_ kernel: CrashKernel, isEncrypted: Bool = false) {
      self.kernel = kernel
      self.isEncrypted = isEncrypted
      if !kernel.exists("/data") { kernel.putDirectory("/data") }
    }

    package func options(_ durability: LogDurability? = nil) -> LogOptions {
      var options = LogOptions(key: isEncrypted ? Self.key : nil)
      options.durability = durability
      options.logHandler = logHandler
      return options
    }
    package func writer(_ system: SystemCalls, _ durability: LogDurability = .powerLoss) throws(LogError) -> MailboxWriter {
      try MailboxWriter(directory: Self.directory, options: options(durability), system: system)
    }
    package func reader(_ system: SystemCalls) throws(LogError) -> MailboxReader {
      try MailboxReader(directory: Self.directory, options: options(), system: system)
    }

    package var names: [String] { kernel.names(Self.directory) }
    package var litter: [String] { names.filter { $0.hasPrefix(".tmp-") } }
    package var segments: [String] { names.filter { $0.hasSuffix(".segment") } }
    package func path(_ name: String) -> String { Self.directory + "/" + name }
    package var lockedNames: [String] { names.filter { kernel.isLocked(path($0)) } }

    /// 0 to 700 bytes that follow from the id, so that an entry can be told from a part or a mixture.
    package static func payload(_ id: String) -> [UInt8] {
      var seed: UInt64 = 14_695_981_039_346_656_037
      for byte in id.utf8 { seed = (seed ^ UInt64(byte)) &* 1_099_511_628_211 }
      var generator = SplitMix64(seed: seed)
      // One in sixteen is large, so that files grow.
      let count = Int(generator.next() % (generator.next() % 16 == 0 ? 9000 : 700))
      var word = generator.next()
      return (0..<count).map { index in
        if index % 64 == 0 { word = generator.next() }
        return UInt8(truncatingIfNeeded: word >> UInt64(index % 57))
      }
    }

    private static func makeKey() -> EncryptionKey {
      guard let key = try? EncryptionKey([UInt8](0..<32)) else { preconditionFailure("a key has 32 bytes") }
      return key
    }
  }

  extension MailboxWriter {
    /// Appends an entry with the payload that follows from its id.
    package func append(_ id: String) throws(LogError) { try append(id: id, payload: CrashMailbox.payload(id)) }

    /// Appends one entry, or several as a batch.
    package func append(_ ids: [String]) throws(LogError) {
      if ids.count == 1 { return try append(ids[0]) }
      try appendBatch { batch in for id in ids { batch.append(id: id, payload: CrashMailbox.payload(id)) } }
    }
  }
#endif
