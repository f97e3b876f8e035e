import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

/// Bytes that aren't a row end in an answer or an error, whatever is asked of them.
@Suite struct DamagedRowTests {
  @Test func neverTraps() throws {
    var random = SplitMix64(seed: 5)
    var generator = RandomQuery(seed: 5)
    let table = try SampleTable((0..<20).map { Sample.random($0, &random) })
    let plans = try (0..<150).map { _ in try table.plan(generator.form()) }
    var thrown = 0
    for (_, row) in table.rows {
      for _ in 0..<40 {
        var damaged = row
        if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random)) }
        for _ in 0..<3 where !damaged.isEmpty {
          damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let plan = plans.randomElement(using: &random)!
        var pipeline = RowPipeline(plan)
        do throws(EvaluationError) {
          _ = try pipeline.add(damaged.span.raw, rowKey: row.span.raw)
          _ = pipeline.finish()
        } catch {
          thrown += 1
        }
      }
    }
    #expect(thrown > 0)
  }

  @Test func damagedKeysAreErrors() throws {
    let table = try SampleTable([Sample()])
    let plan = try table.plan(QueryParser.form("nickname == \"a\" | sort nickname"))
    for bytes: [UInt8] in [[], [1], [1, 0x61], [1, 0x61, 0]] {
      let layout = KeyLayout(columns: plan.access.layout.columns, rowKeyByteCount: nil)
      #expect(throws: RowError.self) { try layout.rowKeyOffset(in: bytes.span.raw) }
    }
  }

  @Test func damagedCursorsFindNothing() throws {
    let table = try SampleTable([Sample()])
    let form = DatabaseQuery<Sample>().sorted(by: \.age).form
    for key: [UInt8] in [[], [1], [UInt8](repeating: 0xFF, count: 8)] {
      let cursor = StorageCursor(key: key, in: form, of: "Sample")
      if key.isEmpty {
        #expect(throws: QueryError.foreignCursor) { try table.run(form.appending(.after(cursor))) }
      } else {
        #expect(try table.run(form.appending(.after(cursor))).isEmpty)
      }
    }
  }
}
