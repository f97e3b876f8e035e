import Foundation
import ObjectStorage
import RawMemory
import StorageIO

/// A message, of which a conversation and a time are indexed.
struct StoredMessage: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var conversation = ""
  @Persisted var body = ""
  @Persisted(indexed: true) var sentAt = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var isRead = false
}

/// What a process does with an encrypted object store, and what that costs it.
///
/// - `make PATH ROWS BYTES BYTES`: fills a new store with messages, by turns of so many bytes, and says what they add up to.
/// - `measure WHAT PATH CACHE`: opens the store with so many bytes for pages, does something, and says: microseconds for opening and for
///   the rest; in KiB the peak of the resident memory after opening and at the end, what of it is anonymous then and what is of files; a
///   sum of what was seen. `WHAT` is `idle` (doesn't open), `open`, `save` (one, durably), `scan` (every row, twice, in one version), and
///   what looks at every row because no index has what is asked: `count`, `max`, `map`, `matching` (whose results keep their keys).
enum ObjectWorker {
  static func run(_ arguments: [String]) async throws {
    switch (arguments.first, arguments.count) {
    case ("make", 5):
      let numbers = arguments[2...].map { Int($0) ?? 0 }
      try await make(arguments[1], rowCount: numbers[0], byteCounts: Array(numbers[1...]))
    case ("measure", 4): try await measure(arguments[1], arguments[2], cacheByteCount: Int(arguments[3]) ?? 0)
    default: throw WorkerFailure(reason: "objects make PATH ROWS BYTES BYTES | objects measure WHAT PATH CACHE")
    }
  }

  private static func configuration(_ path: String) -> StorageConfiguration {
    StorageConfiguration(
      location: .file(URL(filePath: path)), encryption: .key(Data(repeating: 7, count: 32)), objectTypes: [StoredMessage.self])
  }

  private static func message(_ number: Int, byteCount: Int) -> StoredMessage {
    // Spread, as the ids of messages are that many devices make.
    let id = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
    let words = "message \(number), "
    return StoredMessage(
      id: "\(id)-\(number)", conversation: "conversation-\(number % 500)",
      body: String(String(repeating: words, count: byteCount / words.utf8.count + 1).prefix(byteCount)),
      sentAt: Date(timeIntervalSinceReferenceDate: Double(number)), isRead: number % 3 == 0)
  }

  /// A checksum of everything that was read of it.
  private static func sum(_ message: StoredMessage) -> Int {
    let text = Array("\(message.id) \(message.conversation) \(message.body)".utf8)
    return Int(Checksum.crc32(text.span.raw)) &+ Int(message.sentAt.timeIntervalSinceReferenceDate) &+ (message.isRead ? 1 : 0)
  }

  private static func make(_ path: String, rowCount: Int, byteCounts: [Int]) async throws {
    var configuration = configuration(path)
    configuration.durability = .processCrash
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    var total = 0
    for start in stride(from: 0, to: rowCount, by: 10_000) {
      let messages = (start..<min(start + 10_000, rowCount)).map { message($0, byteCount: byteCounts[$0 % byteCounts.count]) }
      for message in messages { total &+= sum(message) }
      try await store.save(messages)
    }
    // So that what is measured later doesn't pay for it.
    try await store.delete(StoredMessage.self, id: "")
    say("\(total)")
  }

  private static func measure(_ what: String, _ path: String, cacheByteCount: Int) async throws {
    var configuration = configuration(path)
    configuration.pageCacheByteCountMax = cacheByteCount
    let store = ObjectStore(configuration: configuration)
    let clock = ContinuousClock()
    let start = clock.now
    if what != "idle" { try await store.open() }
    let opened = (time: clock.now, memory: OwnMemory())
    let begun = clock.now
    let seen = try await work(what, store)
    let end = clock.now
    let memory = OwnMemory()
    let times = [opened.time - start, end - begun].map { "\(Int($0 / .microseconds(1)))" }
    say("\(times.joined(separator: " ")) \(opened.memory.peak) \(memory.peak) \(memory.anonymous) \(memory.ofFiles) \(seen)")
    withExtendedLifetime(store) {}
  }

  private static func work(_ what: String, _ store: ObjectStore) async throws -> Int {
    switch what {
    case "idle", "open": return 0
    case "save":
      try await store.save(message(-1, byteCount: 200))
      return 1
    case "scan":
      let snapshot = try await store.snapshot()
      var seen = 0
      for _ in 0..<2 {
        let all = try snapshot.all(StoredMessage.self)
        for index in all.indices { seen &+= sum(try all.element(at: index)) }
      }
      return seen
    case "count": return try await store.count(StoredMessage.self, matching: DatabaseQuery { $0.body != "" })
    case "max": return try await store.max(StoredMessage.self, of: \.body)?.utf8.count ?? 0
    case "map":
      return try await store.objects(StoredMessage.self, transform: { UInt8($0.isRead ? 1 : 0) }).reduce(0) { $0 + Int($1) }
    case "matching": return try await store.objects(StoredMessage.self, where: { $0.isRead }).count
    default: throw WorkerFailure(reason: "measure \(what)?")
    }
  }
}

/// What `/proc` says of this process, in KiB; read at once, without the memory that parsing takes.
struct OwnMemory {
  let peak: Int
  let anonymous: Int
  let ofFiles: Int

  init() {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Int {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
      return Int(line.filter(\.isNumber)) ?? 0
    }
    (peak, anonymous, ofFiles) = (field("VmHWM"), field("RssAnon"), field("RssFile"))
  }
}
