import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

/// Generated queries over generated rows against the plain evaluator, and against their own texts.
@Suite struct GeneratedQueryTests {
  static let seed: UInt64 = 0x5EED

  @Test func agreeWithThePlainEvaluator() throws {
    var random = SplitMix64(seed: Self.seed)
    var generator = RandomQuery(seed: Self.seed)
    var found = 0
    var indexed = 0
    for _ in 0..<10 {
      let table = try SampleTable((0..<120).map { Sample.random($0, &random) })
      let objects = try table.objects()
      for number in 0..<200 {
        let form = generator.form()
        let plan = try table.plan(form, counts: number.isMultiple(of: 3))
        let keys = try table.run(plan).keys
        let expected = try ReferenceEvaluator().run(form, over: objects)
        #expect(keys == expected, "\(QueryPrinter.text(form))\n\(plan.explained())")
        if plan.countsByKeys {
          let count = plan.window.clamped(try table.walk(plan.access).count)
          #expect(count == expected.count, "\(QueryPrinter.text(form))")
        }
        found += keys.isEmpty ? 0 : 1
        if case .index = plan.access.tree { indexed += 1 }
      }
    }
    // Queries that find nothing, or that never meet an index, would prove little.
    #expect(found > 1_000)
    #expect(indexed > 400)
  }

  @Test func readBack() throws {
    var generator = RandomQuery(seed: 7)
    for _ in 0..<3_000 {
      let form = generator.form()
      let text = QueryPrinter.text(form)
      let read = try QueryParser.form(text)
      #expect(read == form, "\(text)")
    }
  }

  /// Pages of a query, one after another, are the query.
  @Test func cursorsGoOn() throws {
    var random = SplitMix64(seed: 99)
    var generator = RandomQuery(seed: 99)
    let table = try SampleTable((0..<120).map { Sample.random($0, &random) })
    for _ in 0..<400 {
      var form = QueryForm()
      for step in generator.form().steps {
        switch step {
        case .limit, .offset: break
        default: form.append(step)
        }
      }
      let all = try table.run(form)
      var pages: [[UInt8]] = []
      var page = form.appending(.limit(7))
      while true {
        let plan = try table.plan(page)
        let keys = try table.run(plan).keys
        pages += keys
        guard let last = keys.last else { break }
        let row = table.row(last)
        let cursor = try plan.cursor(row: row.span.raw, rowKey: last.span.raw)
        page = form.appending(.after(cursor)).appending(.limit(7))
        if pages.count > all.count { break }
      }
      let plan = try table.plan(page).explained()
      #expect(pages == all, "\(QueryPrinter.text(form))\n\(plan)")
    }
  }
}
