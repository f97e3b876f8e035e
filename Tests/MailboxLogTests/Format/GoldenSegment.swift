import TestSupport

@testable import MailboxLog

/// Golden segments beside the first four: how each is made, and what waits in it.
enum GoldenSegment: String, CaseIterable {
  /// A byte of the file's header is another.
  case header
  /// Durable, and cut in the last record.
  case durableTorn = "durable-torn"
  /// Durable, with the body of one record and the header of another damaged.
  case durableCorrupt = "durable-corrupt"
  /// Sealed under a key of 64 bytes.
  case longKey = "long-key"
  /// Sealed to a public key, by two opens of a writer.
  case writeOnly = "write-only"
  /// Of one mailbox, each under a key of its own.
  case firstOfTwoKeys = "two-keys-1"
  case secondOfTwoKeys = "two-keys-2"
  /// Sealed after another boot; consumed up to the middle of a batch.
  case partly
  /// Others were dropped for room before it.
  case dropped

  var name: String { rawValue + ".segment" }
  static let keyOf64Bytes = [UInt8](0..<64)
  static let otherKey = [UInt8](100..<132)
  static let privateKey = [UInt8](repeating: 0x42, count: 32)

  /// How a reader is opened.
  var options: LogOptions {
    get throws {
      switch self {
      case .header, .durableTorn, .durableCorrupt, .partly, .dropped: LogOptions()
      case .longKey: LogOptions(key: try EncryptionKey(Self.keyOf64Bytes))
      case .writeOnly: LogOptions(readKey: try MailboxPrivateKey(Self.privateKey))
      case .firstOfTwoKeys: LogOptions(key: try EncryptionKey(GoldenTests.key))
      case .secondOfTwoKeys: LogOptions(key: try EncryptionKey(Self.otherKey))
      }
    }
  }

  /// What the reader in Python is told.
  var readerArguments: [String] {
    switch self {
    case .header, .durableTorn, .durableCorrupt, .partly, .dropped: []
    case .longKey: ["--key", hexadecimal(Self.keyOf64Bytes)]
    case .writeOnly: ["--private-key", hexadecimal(Self.privateKey)]
    case .firstOfTwoKeys: ["--key", hexadecimal(GoldenTests.key)]
    case .secondOfTwoKeys: ["--key", hexadecimal(Self.otherKey)]
    }
  }

  /// Ids and payloads that wait.
  var entries: [String] {
    switch self {
    case .header: []
    case .durableTorn: ["a 01", "b 02"]
    case .durableCorrupt: ["a 01", "d 04"]
    case .longKey: ["a 01", "b "]
    case .writeOnly: ["first 0102", "batch:1 01", "batch:2 02", "second 03"]
    case .firstOfTwoKeys: ["mine 01", "mine too 02"]
    case .secondOfTwoKeys: ["theirs 03"]
    case .partly: ["batch:2 02", "batch:3 03", "other 04"]
    case .dropped: ["small 01"]
    }
  }

  /// What is told as damage: a file whose header is, or what was promised and is gone.
  var badRanges: [[Range<UInt64>]] {
    switch self {
    case .header: [[0..<8320]]
    case .durableTorn: [[8448..<8576]]
    case .durableCorrupt: [[8320..<8576]]
    case .longKey, .writeOnly, .firstOfTwoKeys, .secondOfTwoKeys, .partly, .dropped: []
    }
  }
  /// What the reader in Python leaves with.
  var readerExitCode: Int32 {
    switch self {
    case .header: 1
    case .durableTorn, .durableCorrupt: 2
    case .longKey, .writeOnly, .firstOfTwoKeys, .secondOfTwoKeys, .partly, .dropped: 0
    }
  }

  func make() throws -> [UInt8] {
    let bench = GoldenBench()
    let directory = bench.place.path(of: "m.mailbox")
    func writer(_ options: LogOptions = LogOptions(), _ change: (inout LogOptions) -> Void = { _ in }) throws -> MailboxWriter {
      var options = options
      options.durability = .processCrash
      change(&options)
      return try MailboxWriter(directory: directory, options: options, system: bench.calls)
    }
    func contents(_ number: Int = 1) throws -> GoldenBench.Contents {
      try bench.contents(directory + "/0000000\(number).segment", isLog: false)
    }
    switch self {
    case .header:
      try writer().append(id: "a", payload: [1])
      var made = try contents()
      made.flipFileHeader()
      return made.bytes
    case .durableTorn, .durableCorrupt:
      let writer = try writer { $0.durability = .powerLoss }
      let count: UInt8 = self == .durableTorn ? 3 : 4
      for number in 1...count { try writer.append(id: String(UnicodeScalar(96 + number)), payload: [number]) }
      var made = try contents()
      if self == .durableTorn {
        made.tear()
      } else {
        made.flipBody(1)
        made.flipHeader(2)
      }
      return made.bytes
    case .longKey:
      let writer = try writer(options)
      try writer.append(id: "a", payload: [1])
      try writer.append(id: "b", payload: [])
    case .writeOnly:
      let key = LogOptions(writeOnlyKey: try MailboxPrivateKey(Self.privateKey).publicKey)
      let first = try writer(key)
      let consumed = try first.append(id: "consumed", payload: [0])
      try first.append(id: "first", payload: [1, 2])
      try first.appendBatch { batch in for i in 1...2 { batch.append(id: "batch:\(i)", payload: [UInt8(i)]) } }
      try writer(key).append(id: "second", payload: [3])
      try MailboxReader(directory: directory, options: options, system: bench.calls).acknowledge([consumed])
    case .firstOfTwoKeys, .secondOfTwoKeys:
      let mine = try writer(GoldenSegment.firstOfTwoKeys.options) { $0.keyMismatch = .ownSegment }
      try mine.append(id: "mine", payload: [1])
      let theirs = try writer(GoldenSegment.secondOfTwoKeys.options) { $0.keyMismatch = .ownSegment }
      try theirs.append(id: "theirs", payload: [3])
      try mine.append(id: "mine too", payload: [2])
      return try contents(self == .firstOfTwoKeys ? 1 : 2).bytes
    case .partly:
      let positions = try writer().appendBatch { batch in
        for i in 1...3 { batch.append(id: "batch:\(i)", payload: [UInt8(i)]) }
      }
      try writer().append(id: "other", payload: [4])
      try MailboxReader(directory: directory, options: options, system: bench.calls).acknowledge([positions[0]])
      bench.calls.currentBoot += 1
      try writer().append(id: "of another boot", payload: [])
    case .dropped:
      let writer = try writer { options in
        options.capacity = 256 << 10
        options.overflow = .dropOldest
      }
      for number in 0..<4 { try writer.append(id: "large \(number)", payload: [UInt8](repeating: 1, count: 60_000)) }
      try writer.append(id: "small", payload: [1])
      let last = try mailboxSegmentPaths(in: directory).last ?? ""
      return try bench.contents(last, isLog: false).bytes
    }
    return try contents().bytes
  }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
