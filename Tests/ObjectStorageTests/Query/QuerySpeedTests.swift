import Foundation
import RawMemory
import Testing

@testable import ObjectStorage

private struct Body: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var body = ""
  @Persisted var isRead = false
  @Persisted var size = 0
  @Persisted var sentAt: Date? = nil
}

/// Times over 100,000 rows of 200 bytes, for a look in a release build; the bounds hold in any.
@Suite struct QuerySpeedTests {
  @Test(.timeLimit(.minutes(5)))
  func scans() throws {
    let model = try ModelDescription.of(Body.self)
    let schema = try TypeSchema(model, typeID: 1)
    let writer = RowWriter(RowMapping(model: model, schema: schema))
    var held: [HeapBytes] = []
    for number in 0..<100_000 {
      var body = Body()
      body.id = number
      body.title = "title \(number % 100)"
      body.body = String(repeating: "lorem ipsum dolor ", count: 11) + "\(number)"
      body.isRead = number.isMultiple(of: 2)
      body.size = number
      body.sentAt = Date(timeIntervalSinceReferenceDate: Double(number))
      let row = try writer.encode(body)
      held.append(HeapBytes(copying: row.span.raw))
    }
    let queries: [(String, Int)] = [
      ("isRead", 50_000), ("body.contains(\"ipsum 9\")", 0), ("body.contains(\"99999\")", 1), ("size > 50000", 49_999),
      ("title == \"title 7\"", 1_000), ("body.contains(\"IPSUM 9\", options: caseInsensitive)", 0), ("sentAt > date(99990.5)", 9),
      ("body.matches(\".*99999\") && size > 98999", 1), ("size == id", 100_000),
    ]
    for (text, expected) in queries {
      let bound = try BoundQuery(QueryForm(text: text), schema: schema)
      let predicate = try #require(QueryPlanner.plan(bound).filter)
      var count = 0
      let elapsed = try ContinuousClock().measure {
        for row in held { if try row.withBytes({ row throws(EvaluationError) in try predicate.matches(row: row) }) { count += 1 } }
      }
      #expect(count == expected, "\(text)")
      if ProcessInfo.processInfo.environment["ANTEROOM_TIMES"] != nil { print("\(text): \(elapsed)") }
    }
  }
}
