import Foundation
import ObjectStorage
import TestSupport
import Testing

struct Tagged: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var tag = ""
}
struct Pair: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var a = ""
  @Persisted var b = ""
  @Persisted(indexed: true) var number = 0
  static let indexes: [StorageIndex<Pair>] = [.index(\.a, \.b)]
}

/// Indexes lose no rows and order as values do.
@Suite struct B055Tests {
  @Test func anIndexedColumnFindsWhatAScanFinds() async throws {
    let bench = try await StoreBench([Tagged.self])
    let tags = ["a", "a\0", "a\0b", ""]
    var model: [Int: String] = [:]
    var random = SplitMix64(seed: 55)
    for round in 0..<500 {
      let id = Int.random(in: 0..<60, using: &random)
      let tag = tags.randomElement(using: &random)!
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        try await bench.store.save(Tagged(id: id, tag: tag), update: .all)
        model[id] = tag
      case 1:
        if model[id] != nil { try await bench.store.update(Tagged.self, id: id) { $0.tag = tag } }
        if model[id] != nil { model[id] = tag }
      default:
        try await bench.store.delete(Tagged.self, id: id)
        model[id] = nil
      }
      if round % 10 == 0 {
        for tag in tags {
          let found = try await bench.store.objects(Tagged.self) { $0.tag == tag }.map(\.id)
          #expect(found == model.filter { $0.value == tag }.keys.sorted())
        }
      }
    }
    try await bench.check()
  }

  @Test func oneQueryRunAgainAsMatchesComeAndGo() async throws {
    let bench = try await StoreBench([Tagged.self])
    let query = DatabaseQuery<Tagged> { $0.tag == "x" }
    for (count, ids) in [(3, [1, 2, 3]), (1, [2]), (0, []), (2, [5, 6])] {
      try await bench.store.deleteAll(Tagged.self)
      try await bench.store.save(ids.map { Tagged(id: $0, tag: "x") })
      try await bench.store.save(Tagged(id: 99, tag: "y"))
      #expect(try await bench.store.objects(Tagged.self, matching: query).map(\.id) == ids)
      #expect(try await bench.store.count(Tagged.self, matching: query) == count)
    }
  }
}

/// Keys order as numbers and tuples do.
@Suite struct B056Tests {
  @Test func integersAndTuples() async throws {
    let bench = try await StoreBench([Pair.self])
    let numbers = [Int.min, -256, -1, 0, 1, 255, 256, Int.max]
    let texts = ["", " ", "a", "ab", "a\0"]
    var pairs: [Pair] = []
    for number in numbers { pairs.append(Pair(id: number, number: number)) }
    for (index, a) in texts.enumerated() {
      for (other, b) in texts.enumerated() { pairs.append(Pair(id: 1000 + index * 10 + other, a: a, b: b, number: 7)) }
    }
    try await bench.store.save(pairs.shuffled())
    #expect(try await bench.store.all(Pair.self).map(\.id) == pairs.map(\.id).sorted())
    let byNumber = DatabaseQuery<Pair> { $0.number != 7 }.sorted(by: \.number)
    #expect(try await bench.store.objects(Pair.self, matching: byNumber).map(\.number) == numbers)
    let range = DatabaseQuery<Pair> { $0.number >= -5 && $0.number <= 300 && $0.number != 7 }.sorted(by: \.number)
    #expect(try await bench.store.objects(Pair.self, matching: range).map(\.number) == [-1, 0, 1, 255, 256])
    let byTuple = DatabaseQuery<Pair> { $0.number == 7 }.sorted(by: [.ascending(\.a), .ascending(\.b)])
    let found = try await bench.store.objects(Pair.self, matching: byTuple).map { [$0.a, $0.b] }
    let expected = pairs.filter { $0.number == 7 }.map { [$0.a, $0.b] }.sorted { left, right in
      left[0] == right[0]
        ? left[1].utf8.lexicographicallyPrecedes(right[1].utf8) : left[0].utf8.lexicographicallyPrecedes(right[0].utf8)
    }
    #expect(found == expected)
    try await bench.check()
  }
}
