import StorageIO
import Testing

@testable import MailboxLog

/// The numbers of errors and events never change their meaning, and every text says something.
@Suite struct ErrorTests {
  static let table: [(error: LogError, code: UInt8)] = [
    (.notFound(path: "p"), 1), (.notALog(path: "p"), 2), (.unsupportedVersion(found: 2, newest: 1), 3), (.keyRequired, 4),
    (.keyNotExpected, 5), (.wrongKey, 6), (.keyChanged, 7), (.invalidKeyLength(actual: 3), 8),
    (.corrupted(offset: 8, reason: "r"), 9),
    (.typeMismatch(stored: .bool, requested: .date), 10), (.invalidKey, 11), (.keyTooLarge(byteCount: 2, limit: 1), 12),
    (.recordTooLarge(byteCount: 2, limit: 1), 13), (.full(capacity: 4), 14), (.noSpace, 15), (.busy(waited: .seconds(1)), 16),
    (.deadlineExceeded, 17), (.protectedData, 18), (.readOnly, 19), (.suspended, 20), (.closed, 21), (.forkedHandle, 22),
    (.failedEarlier, 23), (.system(call: "open", errno: 5, path: "p"), 24), (.missingField(name: "f"), 25),
  ]

  @Test func codesAndTexts() {
    for (error, code) in Self.table {
      #expect(error.code == code)
      #expect(error.description.utf8.count >= 6 && "\(error)" == error.description)
    }
    #expect(Set(Self.table.map(\.code)) == Set(1...25))
    #expect(Set(Self.table.map(\.error.description)).count == Self.table.count)
    #expect(LogError.corrupted(offset: 8, reason: "r").description.contains("8"))
    #expect(LogError.system(call: "open", errno: 5, path: "p").description.contains("open"))
  }

  @Test func equality() {
    for (index, a) in Self.table.enumerated() {
      for (other, b) in Self.table.enumerated() { #expect((a.error == b.error) == (index == other)) }
    }
    let same: [(LogError, LogError)] = [
      (.notFound(path: "a"), .notFound(path: "b")), (.corrupted(offset: 1, reason: "a"), .corrupted(offset: 1, reason: "b")),
      (.busy(waited: .zero), .busy(waited: .seconds(1))), (.missingField(name: "a"), .missingField(name: "b")),
      (.system(call: "a", errno: 1, path: "a"), .system(call: "b", errno: 1, path: "b")),
    ]
    for (a, b) in same { #expect(a == b) }
    let different: [(LogError, LogError)] = [
      (.corrupted(offset: 1, reason: "a"), .corrupted(offset: 2, reason: "a")), (.full(capacity: 1), .full(capacity: 2)),
      (.unsupportedVersion(found: 2, newest: 1), .unsupportedVersion(found: 3, newest: 1)),
      (.typeMismatch(stored: .bool, requested: .date), .typeMismatch(stored: .date, requested: .bool)),
      (.keyTooLarge(byteCount: 1, limit: 1), .keyTooLarge(byteCount: 1, limit: 2)),
      (.invalidKeyLength(actual: 1), .invalidKeyLength(actual: 2)),
      (.recordTooLarge(byteCount: 1, limit: 1), .recordTooLarge(byteCount: 2, limit: 1)),
      (.system(call: "a", errno: 1, path: "a"), .system(call: "a", errno: 2, path: "a")),
    ]
    for (a, b) in different { #expect(a != b) }
  }

  @Test func numbersOfEventsMetricsAndTypes() {
    let kinds: [LogEvent.Kind] = [
      .recovered, .damageFound, .compacted, .rekeyed, .segmentCreated, .segmentRemoved, .lockWaited, .oldestDropped,
    ]
    #expect(kinds.map(\.rawValue) == Array(0..<8))
    let operations: [LogMetric.Operation] = [.open, .append, .read, .drain, .acknowledge, .synchronize, .compact]
    #expect(operations.map(\.rawValue) == Array(0..<7))
    let types: [LogValueType] = [.bytes, .string, .int, .uint, .double, .bool, .date]
    #expect(types.map(\.rawValue) == Array(0..<7))
  }

  @Test func defaults() {
    let options = LogOptions()
    #expect(options.key == nil && options.access == .readWrite && options.durability == nil && options.lockTimeout == .seconds(1))
    #expect(options.recordByteCountMax == 16 << 20 && options.capacity == nil && options.overflow == .reject)
    #expect(options.keyMismatch == .fail && options.recovery == .report && options.createIfMissing && options.permissions == .owner)
    #expect(options.logHandler == nil && options.metricsHandler == nil)
    #expect(LogContext.capacityDefault == 256 << 20)
  }

  @Test func handlersAreCalled() throws {
    let bench = try APIBench()
    let (events, metrics) = (Told<LogEvent>(), Told<LogMetric>())
    func tell(_ options: inout LogOptions) {
      options.logHandler = { events.tell($0) }
      options.metricsHandler = { metrics.tell($0) }
    }
    let writer = try bench.writer(tell)
    let reader = try bench.reader(tell)
    #expect(metrics.values.map(\.operation) == [.open, .open])
    metrics.forget()
    try writer.append(id: "secret-id", payload: Array("secret-value".utf8))
    try writer.append(id: "f") { $0.set("secret-name", "secret-value") }
    try writer.appendBatch { $0.append(id: "b", payload: [1]) }
    #expect(throws: LogError.deadlineExceeded) { try writer.append(id: "late", payload: [], timeout: .zero) }
    try writer.synchronize()
    let positions = try reader.positions()
    try reader.acknowledge(positions)
    #expect(throws: CancellationError.self) {
      try writer.append(id: "again", payload: [])
      try reader.forEachPending { (_) throws in throw CancellationError() }
    }
    #expect(
      metrics.values.map(\.operation) == [.append, .append, .append, .append, .synchronize, .drain, .acknowledge, .append, .drain])
    #expect(metrics.values.map(\.succeeded) == [true, true, true, false, true, true, true, true, false])
    for metric in metrics.values {
      #expect(metric.duration >= .zero && metric.duration < .seconds(60) && metric.lockWait >= .zero && metric.byteCount >= 0)
    }
    #expect(metrics.values[0].byteCount >= 21)
    #expect(events.values.map(\.kind) == [.segmentCreated, .segmentRemoved, .segmentCreated])
    for event in events.values { #expect(event.message.contains("0000000") && !event.message.contains("secret")) }
  }
}
