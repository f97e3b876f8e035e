import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

/// Queries through the whole store, rows and indexes in a file, against the plain evaluator and against SQLite: 2,000 in all.
@Suite struct StoreQueryTests {
  @Test("Generated queries agree with the plain evaluator and with SQLite", arguments: [(false, 1400), (true, 600)])
  func generatedQueriesAgree(isEncrypted: Bool, queryCount: Int) async throws {
    let bench = try await StoreBench([Sample.self], encryption: isEncrypted ? .key(StoreTests.key) : .none)
    var random = SplitMix64(seed: 31)
    var generator = RandomQuery(seed: isEncrypted ? 32 : 33)
    generator.hasSubqueries = true
    var census = QueryCensus()
    var foundCount = 0
    var samples = (0..<100).map { Sample.random($0, &random) }
    try await bench.store.save(samples)
    for round in 0..<5 {
      let table = try SampleTable(samples)
      let objects = try table.objects()
      let evaluator = ReferenceEvaluator(tables: ["Sample": objects])
      let judge = try JudgeTable(samples)
      let smallByID = Dictionary(uniqueKeysWithValues: samples.map { ($0.id, $0.small) })
      for _ in 0..<queryCount / 5 {
        let form = generator.form()
        census.add(form)
        let query = DatabaseQuery<Sample>(form: form)
        let expected = table.integers(try evaluator.run(form, over: objects))
        #expect(try judge.ids(form) == expected, "SQLite: \(query)")
        foundCount += expected.isEmpty ? 0 : 1
        let found = try await bench.store.objects(Sample.self, matching: query)
        let ids = try found.array().map(\.id)
        #expect(ids == expected, "\(query)")
        let snapshot = try await bench.store.snapshot()
        #expect(try snapshot.count(Sample.self, matching: query) == expected.count, "\(query)")
        #expect(try snapshot.first(Sample.self, matching: query)?.id == expected.first, "\(query)")
        #expect(try snapshot.last(Sample.self, matching: query)?.id == expected.last, "\(query)")
        #expect(try snapshot.contains(Sample.self, matching: query) == !expected.isEmpty, "\(query)")
        // What keeps nothing of the rows that come by.
        #expect(try await bench.store.objects(Sample.self, matching: query, transform: { $0.id }) == expected, "\(query)")
        let sum = expected.reduce(0) { $0 + Int(smallByID[$1]!) }
        #expect(try snapshot.sum(Sample.self, of: \.small, matching: query) == sum, "\(query)")
      }
      // Then the rows change, and the indexes with them.
      for _ in 0..<40 {
        let number = Int.random(in: 0..<130, using: &random)
        if Bool.random(using: &random) {
          try await bench.store.delete(Sample.self, id: number)
          samples.removeAll { $0.id == number }
        } else {
          let sample = Sample.random(number, &random)
          try await bench.store.save(sample, update: .all)
          samples.removeAll { $0.id == number }
          samples.append(sample)
        }
      }
      samples.sort { $0.id < $1.id }
      if round == 3 { try await bench.store.compact() }
      try await bench.check()
    }
    // Each form was asked, and most queries found something.
    #expect(census.missing.isEmpty)
    #expect(foundCount > queryCount / 2)
  }
}
