import Foundation
import RawMemory
import Testing

@testable import ObjectStorage

private struct PlannedMessage: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var conversation = ""
  @Persisted var text = ""
  @Persisted var sentAt: Date? = nil
  @Persisted(indexed: true) var size = 0
  @Persisted var isRead = false
  static let indexes: [StorageIndex<PlannedMessage>] = [.index(\.conversation, \.sentAt), .unique(\.text)]
}

private struct PlannedPair: StorageObject {
  @Persisted var a = ""
  @Persisted var b = ""
  @Persisted(indexed: true) var number = 0
  static let indexes: [StorageIndex<PlannedPair>] = [.index(\.a, \.b)]
}

/// Which way the planner takes, what it leaves, and how few rows are looked at.
@Suite struct PlannerTests {
  private static func messages() throws -> SampleTable {
    try SampleTable(
      (0..<1_000).map { number in
        var message = PlannedMessage()
        message.id = "m\(number)"
        message.conversation = "c\(number % 4)"
        message.text = "text \(number)"
        message.sentAt = number % 10 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number / 8))
        message.size = number % 100
        message.isRead = number % 3 == 0
        return message
      })
  }
  private let table: SampleTable
  init() throws { table = try Self.messages() }

  private func explain(_ query: DatabaseQuery<PlannedMessage>) throws -> String {
    let plan = try table.plan(query.form)
    let result = try table.run(plan)
    let expected = try ReferenceEvaluator().run(query.form, over: table.objects())
    #expect(result.keys == expected)
    return plan.explained(examined: result.examined, returned: result.keys.count).description
  }

  @Test func lastOfAConversation() throws {
    let query = DatabaseQuery<PlannedMessage> { $0.conversation == "c1" }.sorted(by: \.sentAt, ascending: false).limited(to: 50)
    #expect(
      try explain(query) == """
        index PlannedMessage.conversation+sentAt: conversation == "c1", backwards
        take 50
        examined 50, returned 50
        """)
    let plan = try table.plan(query.form)
    #expect(plan.isStreamed && plan.countsByKeys && plan.access.hasForwardTies)
    #expect(plan.explained().isSortedByIndex)
    #expect(plan.explained().indexName == "PlannedMessage.conversation+sentAt")
  }

  @Test func equalityAndRange() throws {
    let since = Date(timeIntervalSinceReferenceDate: 100)
    let query = DatabaseQuery<PlannedMessage> { $0.conversation == "c1" && $0.sentAt > since && !$0.isRead }.sorted(by: \.sentAt)
    #expect(
      try explain(query).hasPrefix(
        """
        index PlannedMessage.conversation+sentAt: conversation == "c1" && sentAt > date(100.0)
        filter !isRead
        examined 48, returned
        """))
    #expect(try table.plan(query.form).filter?.columns.count == 1)
  }

  @Test func primaryKey() throws {
    #expect(
      try explain(DatabaseQuery { $0.id == "m7" && $0.isRead })
        == "key of PlannedMessage: id == \"m7\"\nfilter isRead\nexamined 1, returned 0")
    #expect(try explain(DatabaseQuery { $0.id.in(["m9", "m3", "m3", "no"]) }).hasSuffix("examined 2, returned 2"))
    #expect(
      try explain(DatabaseQuery { $0.id.starts(with: "m99") })
        == "key of PlannedMessage: id.starts(with: \"m99\")\nexamined 11, returned 11")
    #expect(
      try explain(DatabaseQuery().sorted(by: \.id, ascending: false).limited(to: 2))
        == "all rows of PlannedMessage, backwards\ntake 2\nexamined 2, returned 2")
    #expect(
      try explain(DatabaseQuery().limited(to: 3).offset(by: 1))
        == "all rows of PlannedMessage\nskip 1\ntake 2\nexamined 3, returned 2")
  }

  @Test func unservedSortKeepsTheFirst() throws {
    let query = DatabaseQuery<PlannedMessage> { $0.isRead }.sorted(by: \.conversation).sorted(by: \.text).limited(to: 3)
    #expect(
      try explain(query) == """
        all rows of PlannedMessage
        filter isRead
        sort by conversation, text, keeping the first 3
        take 3
        examined 1000, returned 3
        """)
  }

  @Test func rangesWithoutOrderComeInKeyOrder() throws {
    #expect(
      try explain(DatabaseQuery { $0.size.between(3...4) }) == """
        index PlannedMessage.size: size.between(3...4)
        sort by key
        examined 20, returned 20
        """)
    #expect(
      try explain(DatabaseQuery { $0.size == 3 || $0.size == 5 || $0.size.in([5, 7]) }).hasPrefix(
        "index PlannedMessage.size: size == 3 || size == 5"))
    // One value: keys in their order.
    #expect(try explain(DatabaseQuery { $0.size == 3 }) == "index PlannedMessage.size: size == 3\nexamined 10, returned 10")
  }

  @Test func contradictionsReadNothing() throws {
    #expect(
      try explain(DatabaseQuery { $0.size > 5 && $0.size < 3 })
        == "nothing can match\nexamined 0, returned 0".replacing("nothing can match", with: "nothing can match\nsort by key"))
    #expect(try explain(DatabaseQuery { $0.id.in([]) }) == "nothing can match\nexamined 0, returned 0")
    #expect(
      try explain(DatabaseQuery<PlannedMessage>().limited(to: 0)) == "all rows of PlannedMessage\ntake 0\nexamined 0, returned 0")
  }

  @Test func nilIsInNoRange() throws {
    let query = DatabaseQuery<PlannedMessage> { $0.conversation == "c0" && $0.sentAt < Date.distantFuture }
    #expect(try explain(query).contains("examined 200, returned 200"))
    #expect(try explain(DatabaseQuery { $0.conversation == "c0" && $0.sentAt == nil }).contains("examined 50, returned 50"))
    #expect(try explain(DatabaseQuery { $0.conversation == "c0" && $0.sentAt != nil }).contains("examined 200, returned 200"))
  }

  @Test func uniqueIndexComesFirst() throws {
    #expect(
      try explain(DatabaseQuery { $0.text == "text 5" && $0.conversation == "c1" && $0.size == 5 }).hasPrefix(
        "index PlannedMessage.text: text == \"text 5\""))
  }

  /// Half of the table through an index would be slower than all of it.
  @Test func countsDecide() throws {
    let wide = DatabaseQuery<PlannedMessage> { $0.size >= 10 }
    #expect(try table.plan(wide.form, counts: true).access.tree == .rows)
    #expect(try table.plan(DatabaseQuery<PlannedMessage> { $0.size >= 99 }.form, counts: true).access.tree != .rows)
    let first = wide.sorted(by: \.size).limited(to: 5)
    #expect(try table.plan(first.form, counts: true).access.tree != .rows)
  }

  /// B056: the keys' order is that of the numbers and of the tuples.
  @Test func orderOfKeys() throws {
    let numbers = [Int.min, -256, -1, 0, 1, 255, 256, Int.max]
    let texts = ["", " ", "a", "ab", "a\0"]
    var pairs: [PlannedPair] = []
    for a in texts {
      for b in texts {
        var pair = PlannedPair()
        pair.a = a
        pair.b = b
        pair.number = numbers[pairs.count % numbers.count]
        pairs.append(pair)
      }
    }
    let table = try SampleTable(pairs.reversed())
    let objects = try table.objects()
    let queries: [DatabaseQuery<PlannedPair>] = [
      DatabaseQuery { $0.number.between(-5...300) }, DatabaseQuery().sorted(by: \.number), DatabaseQuery { $0.number < 0 },
      DatabaseQuery().sorted(by: \.a).sorted(by: \.b), DatabaseQuery { $0.a == "a" }.sorted(by: \.b, ascending: false),
      DatabaseQuery { $0.a > "" && $0.a <= "a\0" }.sorted(by: \.a).sorted(by: \.b), DatabaseQuery { $0.a.starts(with: "a") },
      DatabaseQuery().sorted(by: \.a, ascending: false).sorted(by: \.b, ascending: false).limited(to: 9),
    ]
    for query in queries {
      let keys = try table.run(query.form)
      #expect(keys == (try ReferenceEvaluator().run(query.form, over: objects)), "\(query)")
      let bound = try BoundQuery(query.form, schema: table.schema)
      #expect(keys == (try table.run(QueryPlanner.plan(bound)).keys))
    }
    #expect(
      try table.run(queries[0].form).count
        == numbers.indices.filter { (-5...300).contains(numbers[$0]) }.map { i in pairs.indices.filter { $0 % 8 == i }.count }
        .reduce(0, +))
  }

  @Test func columnsThatAreRead() throws {
    let plan = try table.plan(
      DatabaseQuery<PlannedMessage> { $0.isRead || $0.size > 3 }.sorted(by: \.text).distinct(by: \.conversation).form)
    let names = plan.columns.compactMap { table.schema.column(id: $0)?.name }.sorted()
    #expect(names == ["conversation", "isRead", "size", "text"])
  }
}
