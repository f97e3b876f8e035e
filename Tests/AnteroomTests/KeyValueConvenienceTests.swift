import Anteroom
import Foundation
import Testing

/// `Data`, `Date`, `URL` and `Codable` over the key-value log.
@Suite struct KeyValueConvenienceTests {
  private struct Settings: Codable, Equatable {
    var name = "Ada"
    var times: [Date] = [Date(timeIntervalSinceReferenceDate: 0.1)]
    var link: URL? = URL(string: "https://example.org/a")
  }

  private func withLog(_ body: (KeyValueLog) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).kvlog")
    defer { try? FileManager.default.removeItem(at: file) }
    let log = try KeyValueLog(file: file)
    defer { log.close() }
    try body(log)
  }

  @Test func datesAndData() throws {
    try withLog { log in
      for date in [Date(timeIntervalSinceReferenceDate: 0.1), .distantPast, .distantFuture, Date()] {
        try log.set(date, forKey: "date")
        #expect(try log.date(forKey: "date") == date)
      }
      let bytes = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
      // A slice begins elsewhere than at 0.
      try log.set(bytes[100...], forKey: "data")
      #expect(try log.data(forKey: "data") == bytes[100...])
      #expect(try log.bytes(forKey: "data") == Array(bytes[100...]))
      #expect(try log.date(forKey: "absent") == nil)
      #expect(throws: LogError.typeMismatch(stored: .bytes, requested: .date)) { try log.date(forKey: "data") }
      #expect(try log.compareAndSet("date", expected: Date.distantPast, to: Date()) == false)
    }
  }

  @Test func codable() throws {
    try withLog { log in
      try log.setCodable(Settings(), forKey: "settings")
      #expect(try log.codable(Settings.self, forKey: "settings") == Settings())
      #expect(try log.type(forKey: "settings") == .string)
      #expect(try log.string(forKey: "settings")?.hasPrefix("{\"link\":\"https://example.org/a\",\"name\":") == true)
      #expect(try log.codable(Settings.self, forKey: "absent") == nil)
      #expect(throws: DecodingError.self) { try log.codable([Int].self, forKey: "settings") }
      try log.set(1, forKey: "int")
      #expect(throws: LogError.typeMismatch(stored: .int, requested: .string)) { try log.codable(Int.self, forKey: "int") }
      try log.setCodable(["a": 1], forKey: "brief", expiresAfter: .nanoseconds(1))
      #expect(try log.codable([String: Int].self, forKey: "brief") == nil)
    }
  }
}
