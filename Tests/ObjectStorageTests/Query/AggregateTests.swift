import Foundation
import Testing

@testable import ObjectStorage

/// B080: sums, averages and extremes, of nothing too.
@Suite struct AggregateTests {
  private func sum(_ kind: ColumnKind, _ values: [StoredValue]) throws -> StoredValue {
    var sum = SumAccumulator(kind: kind, part: "p")
    for value in values { try sum.add(value) }
    return sum.result
  }
  private func average(_ kind: ColumnKind, _ values: [StoredValue]) -> StoredValue {
    var average = AverageAccumulator(kind: kind)
    for value in values { average.add(value) }
    return average.result
  }
  private func extreme(_ isMaximum: Bool, _ values: [StoredValue]) -> StoredValue {
    var extremum = ExtremumAccumulator(isMaximum: isMaximum)
    for value in values { extremum.add(value) }
    return extremum.result
  }

  @Test(arguments: [[StoredValue](), [.null, .null]]) func ofNothing(_ values: [StoredValue]) throws {
    #expect(try sum(.int64, values) == .int(0))
    #expect(try sum(.uint8, values) == .uint(0))
    #expect(try sum(.float, values) == .double(0))
    #expect(try sum(.decimal, values) == .decimal(0))
    #expect(average(.int64, values) == .null)
    #expect(extreme(true, values) == .null)
    #expect(extreme(false, values) == .null)
  }

  @Test func negatives() throws {
    let values: [StoredValue] = [.double(-3), .null, .double(-1.5)]
    #expect(extreme(true, values) == .double(-1.5))
    #expect(extreme(false, values) == .double(-3))
    #expect(try sum(.double, values) == .double(-4.5))
    #expect(average(.double, values) == .double(-2.25))
  }

  @Test func overflowThrows() throws {
    #expect(throws: QueryError.overflow(part: "p")) { try sum(.int64, [.int(.max), .int(1)]) }
    #expect(throws: QueryError.overflow(part: "p")) { try sum(.int8, [.int(.min), .int(-1)]) }
    #expect(throws: QueryError.overflow(part: "p")) { try sum(.uint64, [.uint(.max), .uint(1)]) }
    #expect(average(.int64, [.int(.max), .int(.max)]) == .double(Double(Int64.max)))
  }

  @Test func notANumber() throws {
    #expect(extreme(true, [.double(.nan), .double(1), .double(.nan)]) == .double(1))
    #expect(extreme(false, [.double(.nan), .double(1)]) == .double(1))
    #expect(extreme(false, [.double(.nan)]).isNaN)
    #expect(try sum(.double, [.double(.nan), .double(1)]).isNaN)
  }

  @Test func otherKinds() throws {
    #expect(
      try sum(.decimal, [.decimal(Decimal(string: "1159336.05")!), .decimal(Decimal(string: "-0.05")!)]) == .decimal(1_159_336))
    #expect(average(.decimal, [.decimal(1), .decimal(2)]) == .decimal(Decimal(string: "1.5")!))
    #expect(extreme(true, [.string("e\u{301}"), .string("z"), .string("é")]) == .string("e\u{301}"))
    #expect(extreme(false, [.date(5), .date(-1)]) == .date(-1))
  }

  /// In conditions too, where a sum that overflows is an error of the query.
  @Test func inConditions() throws {
    var sample = Sample()
    sample.scores = [Int.max, 1]
    var none = Sample()
    none.id = 1
    let table = try SampleTable([sample, none])
    #expect(throws: EvaluationError.query(.overflow(part: "scores.sum"))) {
      try table.ids(DatabaseQuery<Sample> { $0.scores.sum > 0 })
    }
    #expect(try table.ids(DatabaseQuery<Sample> { $0.scores.min == nil }) == [1])
    #expect(try table.ids(DatabaseQuery<Sample> { $0.scores.avg == nil && $0.scores.count == 0 }) == [1])
    #expect(try table.ids(DatabaseQuery<Sample> { $0.scores.max == Int.max }) == [0])
  }
}
