import TestSupport

@testable import MailboxLog

/// Golden key-value logs: how each is made, and what is in it.
enum GoldenLog: String, CaseIterable {
  case clean
  case torn
  /// The body of one record, the header of a batch's second, and the committed end are damaged.
  case corrupt
  /// A byte of the file's header is another.
  case header
  case encrypted
  /// Sealed under a key of 64 bytes.
  case longKey = "long-key"
  /// Compacted, so that there is an index; a few changes behind it.
  case index
  /// As that one, and under one key before and under another now.
  case rekeyed

  var name: String { rawValue + ".kvlog" }

  var key: [UInt8]? {
    switch self {
    case .clean, .torn, .corrupt, .header, .index: nil
    case .encrypted: GoldenTests.key
    case .longKey: GoldenSegment.keyOf64Bytes
    case .rekeyed: GoldenSegment.otherKey
    }
  }
  var options: LogOptions { get throws { LogOptions(key: try key.map { try EncryptionKey($0) }) } }
  var readerArguments: [String] { key.map { ["--key", hexadecimal($0)] } ?? [] }

  /// Keys, the names of their types, and values as the reader in Python prints them.
  var entries: [String: String] {
    switch self {
    case .header: [:]
    case .longKey: ["a": "int 1", "b": "bytes "]
    case .index, .rekeyed:
      Dictionary(uniqueKeysWithValues: Self.many.map { ("key \($0)", "int \($0)") }).merging(
        ["key 3": "int 1003", "key 70": "string new"], uniquingKeysWith: { $1 }
      ).filter { $0.key != "key 5" }
    case .clean, .encrypted: Self.usual
    case .torn: Self.usual.filter { $0.key != "last" }
    case .corrupt:
      // Nor did the batch remove what it was to remove.
      Self.usual.filter { $0.key != "bytes" && !$0.key.hasPrefix("batch") }
        .merging(["of the batch": "string not for long"], uniquingKeysWith: { $1 })
    }
  }
  private static let many = 0..<66
  private static let usual = [
    "bytes": "bytes 00ff10", "empty": "bytes ", "string": "string Grüße", "int": "int -9223372036854775808",
    "uint": "uint 18446744073709551615", "double": "double -0.125", "bool": "bool true", "date": "date 0.5", "twice": "int 2",
    "later": "string a hundred years", "batch:1": "int 1", "batch:2": "int 2", "last": "string the end",
  ]

  func make() throws -> [UInt8] {
    let bench = GoldenBench()
    let path = bench.place.path(of: "a.kvlog")
    let first = self == .rekeyed ? GoldenTests.key : key
    let log = try KeyValueLog(
      path: path, options: LogOptions(key: try first.map { try EncryptionKey($0) }), system: bench.calls)
    switch self {
    case .longKey:
      try log.set(1, forKey: "a")
      try log.set([UInt8](), forKey: "b")
    case .index, .rekeyed:
      for number in Self.many { try log.set(number, forKey: "key \(number)") }
      bench.calls.now = GoldenBench.start + 1_000_000
      if self == .rekeyed { try log.rekey(to: try EncryptionKey(GoldenSegment.otherKey)) } else { try log.compact() }
      try log.set(1003, forKey: "key 3")
      try log.removeValue(forKey: "key 5")
      try log.set("new", forKey: "key 70")
    case .clean, .encrypted, .torn, .corrupt, .header: try fill(log, bench)
    }
    log.close()
    var contents = try bench.contents(path, isLog: true)
    switch self {
    case .clean, .encrypted, .longKey, .index, .rekeyed: break
    case .torn: contents.tear()
    case .header: contents.flipFileHeader()
    case .corrupt:
      contents.flipBody(2)
      // The last is behind the batch of three.
      contents.flipHeader(contents.records.count - 3)
      contents.flip(.committedEnd)
    }
    return contents.bytes
  }

  private func fill(_ log: KeyValueLog, _ bench: GoldenBench) throws {
    try log.set("not any more", forKey: "before")
    try log.removeAll()
    try log.set([0x00, 0xFF, 0x10] as [UInt8], forKey: "bytes")
    try log.set([UInt8](), forKey: "empty")
    try log.set("Grüße", forKey: "string")
    try log.set(Int.min, forKey: "int")
    try log.set(UInt64.max, forKey: "uint")
    try log.set(-0.125, forKey: "double")
    try log.set(true, forKey: "bool")
    try log.set(LogTimestamp(secondsSinceReferenceDate: 0.5), forKey: "date")
    bench.calls.now = GoldenBench.start + 1_000_000
    try log.set(1, forKey: "twice")
    try log.set(2, forKey: "twice")
    try log.set("gone", forKey: "removed")
    try log.removeValue(forKey: "removed")
    try log.set("a second", forKey: "expired", expiresAfter: .seconds(1))
    try log.set("a hundred years", forKey: "later", expiresAfter: .seconds(3_155_760_000))
    try log.set("not for long", forKey: "of the batch")
    try log.update { batch in
      batch.set(1, forKey: "batch:1")
      batch.set(2, forKey: "batch:2")
      batch.removeValue(forKey: "of the batch")
    }
    try log.set("the end", forKey: "last")
  }
}
