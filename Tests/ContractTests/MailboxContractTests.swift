import Anteroom
import Foundation
import Synchronization
import Testing

/// Both ends of a mailbox, as helpers and apps call them.
@Suite struct MailboxContractTests {
  private static func options() throws(LogError) -> LogOptions {
    var options = LogOptions(key: .random())
    options.key = try EncryptionKey([UInt8](repeating: 1, count: 32))
    options.access = .readWrite
    options.durability = .processCrash
    options.lockTimeout = .seconds(2)
    options.recordByteCountMax = 1 << 20
    options.capacity = 1 << 28
    options.overflow = .reject
    options.keyMismatch = .fail
    options.recovery = .report
    options.createIfMissing = true
    options.permissions = .owner
    options.logHandler = { _ = ($0.kind, $0.message) }
    options.metricsHandler = { _ = ($0.operation, $0.duration, $0.lockWait, $0.byteCount, $0.succeeded) }
    return options
  }

  @Test func appendingAndReading() async throws {
    struct Stop: Error {}
    struct Parcel: Codable, Equatable { var weight: Int }
    let folder = try Folder()
    let directory = folder.url.appending(path: "inbox.mailbox")
    let outbox = try MailboxWriter(directory: directory, options: try Self.options())
    let bytes: [UInt8] = [1, 2, 3]
    let position: MailboxPosition = try outbox.append(id: "a", payload: bytes)
    try outbox.append(id: "b", payload: bytes.span, timeout: .seconds(5))
    try outbox.append(id: "c", payload: Data(bytes), timeout: nil)
    try outbox.append(id: "d", encoding: Parcel(weight: 3), schemaVersion: 2, timeout: .seconds(5))
    let moment = Date(timeIntervalSinceReferenceDate: 5)
    try outbox.append(id: "e", schemaVersion: 3, timeout: .seconds(5)) { fields in
      fields.set("text", "plain")
      fields.set("int", -1)
      fields.set("wide", Int64.max)
      fields.set("uint", UInt64.max)
      fields.set("double", 1.5)
      fields.set("bool", true)
      fields.set("bytes", bytes)
      fields.set("span", bytes.span)
      fields.set("moment", moment)
      fields.set("data", Data(bytes))
      fields.set("gone", 1)
      fields.rename("span", to: "view")
      fields.remove("gone")
    }
    let positions = try outbox.appendBatch(timeout: .seconds(5)) { batch in
      batch.append(id: "f", payload: bytes)
      batch.append(id: "g", payload: bytes.span)
      batch.append(id: "h", schemaVersion: 1) { $0.set("text", "x") }
    }
    #expect(positions.count == 3 && positions[0].segment == position.segment && positions[0].sequence > position.sequence)
    #expect(try outbox.contains(id: "a") && outbox.pendingCount == 8 && outbox.directory == directory.path)
    let backlog: MailboxBacklog = try outbox.backlog()
    #expect(backlog.entryCount == 8 && backlog.byteCount > 0 && backlog.oldestAge != nil)
    try outbox.synchronize()

    let inbox = try MailboxReader(directory: directory.path, options: try Self.options())
    var seen: [MailboxPosition] = []
    let count = try inbox.forEachPending(limit: 500, byteCountMax: 1 << 20) { entry in
      seen.append(entry.position)
      #expect(entry.appendedAt > LogTimestamp(millisecondsSince1970: 0))
      switch entry.id {
      case "a":
        #expect(entry.payload == bytes && entry.schemaVersion == 0)
        #expect(try entry.withPayloadSpan { $0.count } == 3)
      case "d": #expect(try entry.decode(Parcel.self) == Parcel(weight: 3))
      case "e":
        #expect(try entry.string("text") == "plain" && entry.int("int") == -1 && entry.value(Int64.self, "wide") == .max)
        #expect(
          try entry.uint("uint") == .max && entry.double("double") == 1.5 && entry.bool("bool") && entry.bytes("view") == bytes)
        #expect(try entry.date("moment") == moment && entry.data("data") == Data(bytes))
        #expect(try entry.timestamp("moment").secondsSinceReferenceDate == 5 && !entry.has("gone") && entry.schemaVersion == 3)
        var names: [String] = []
        try entry.forEachField { name, type, value in if type == .string, value.count > 0 { names.append(name) } }
        #expect(names == ["text"])
      default: break
      }
    }
    #expect(count == 8 && seen.count == 8)
    #expect(throws: Stop.self) { try inbox.forEachPending { _ in throw Stop() } }
    try inbox.acknowledge(seen.reversed())
    #expect(try inbox.pendingCount == 0 && inbox.backlog().entryCount == 0 && inbox.damage().isEmpty)
    try outbox.append(id: "late", payload: [])
    let arrivals: MailboxArrivals = inbox.arrivals()
    for await _ in arrivals { break }
    inbox.suspend()
    try inbox.resume()
    outbox.suspend()
    try outbox.resume()
    inbox.close()
    outbox.close()
  }

  /// In a function that throws `LogError` closures are typed without a word, and the catch is exhaustive.
  @Test func errorsAreTyped() throws {
    func typed(_ inbox: MailboxReader) throws(LogError) {
      try inbox.forEachPending { entry in _ = entry.id }
      try inbox.forEachPending { entry throws(LogError) in _ = try entry.string("text") }
    }
    func told() -> String {
      do { _ = try EncryptionKey([1, 2, 3]) } catch {
        switch error {
        case .busy(let waited): return "\(waited)"
        case .system(let call, let errno, let path): return "\(call) \(errno) \(path)"
        case .invalidKeyLength(let actual): return "\(actual)"
        case .notFound, .keyRequired: return "\(error)"
        default: return "\(error.code) \(error.localizedDescription)"
        }
      }
      return ""
    }
    #expect(told() == "3")
    let folder = try Folder()
    try typed(try MailboxReader(directory: folder.url.appending(path: "empty.mailbox")))
    let key = try EncryptionKey(Data(repeating: 2, count: 64))
    #expect(try key.withBytes { $0.count } > 0)
    let segment = MailboxSegmentID(high: 1, low: 2)
    #expect(MailboxPosition(segment: segment, sequence: 3).segment == segment)
    let now = LogTimestamp.now
    #expect(LogTimestamp(Date(now)) == now && now.millisecondsSince1970 > 0)
    #expect(Date.logValueType == .date && Data.logValueType == .bytes && String.logValueType == .string)
  }
}
