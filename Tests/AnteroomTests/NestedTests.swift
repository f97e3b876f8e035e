import Anteroom
import Foundation
import Testing

/// `nested`: what it undoes is gone from rows, indexes, ledger and row numbers, and nothing else is.
@Suite struct NestedTests {
  private struct Undo: Error {}
  private struct Loose: StorageObject {
    @Persisted(indexed: true) var number = 0
  }

  private func open(_ place: Place) async throws -> ObjectStore {
    try await place.store { $0.objectTypes = [Note.self, Loose.self] }
  }

  @Test("Random changes, some of them undone, against a dictionary", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) async throws {
    let place = try Place()
    let store = try await open(place)
    let expected = try await store.write { transaction in
      var random = Generator(state: seed)
      var notes: [String: String] = [:]
      for _ in 0..<300 {
        let before = notes
        do {
          try transaction.nested { nested in try Self.change(&nested, &notes, &random, depth: 0) }
        } catch is Undo {
          notes = before
        }
      }
      return notes
    }
    let found = try await store.all(Note.self).array()
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.text) }) == expected)
    #expect(try await store.verify().problems == [])
  }

  private static func change(
    _ transaction: inout WriteTransaction, _ notes: inout [String: String], _ random: inout Generator, depth: Int
  ) throws {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let id = "n\(Int.random(in: 0..<40, using: &random))"
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let text = String(repeating: "t", count: Int.random(in: 0...(random.next() % 9 == 0 ? 9_000 : 30), using: &random))
        try transaction.save(Note(id: id, text: text), update: .all)
        notes[id] = text
      case 9..<13:
        #expect(try transaction.delete(Note.self, id: id) == (notes.removeValue(forKey: id) != nil))
      case 13..<15: try transaction.save(Loose(number: 1))
      case 15:
        try transaction.deleteAll(Note.self)
        notes.removeAll()
      case 16: try transaction.setLedgerValue(random.next() % 2 == 0 ? Array(id.utf8) : nil, forKey: [1])
      case 17 where depth < 3:
        let before = notes
        do { try transaction.nested { try change(&$0, &notes, &random, depth: depth + 1) } } catch is Undo { notes = before }
      default: break
      }
    }
    if random.next() % 3 == 0 { throw Undo() }
  }

  @Test("The ledger and the numbers of rows go back too")
  func ledger() async throws {
    let place = try Place()
    let store = try await open(place)
    try await store.write { transaction in
      try transaction.setLedgerValue([1], forKey: [1])
      try transaction.setLedgerValue([2], forKey: [2])
      #expect(throws: Undo.self) {
        try transaction.nested { nested in
          try nested.setLedgerValue([9], forKey: [1])
          try nested.setLedgerValue(nil, forKey: [2])
          try nested.setLedgerValue([9], forKey: [3])
          try nested.save(Loose(number: 5))
          throw Undo()
        }
      }
      #expect(try transaction.ledgerValue(forKey: [1]) == [1])
      #expect(try transaction.ledgerValue(forKey: [2]) == [2])
      #expect(try transaction.ledgerValue(forKey: [3]) == nil)
      #expect(try transaction.count(Loose.self) == 0)
      try transaction.nested { try $0.save(Loose(number: 6)) }
    }
    #expect(try await store.all(Loose.self).map(\.number) == [6])
  }

  /// SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }
}
