import Foundation
import ObjectStorage
import Testing

private enum Mood: String, PersistableEnum { case calm, glad }
private enum LaterMood: String, PersistableEnum { case calm, glad, odd, wild }

private struct Entry: IdentifiableStorage {
  static let storageName = "Entry"
  @Persisted(primaryKey: true) var id = 0
  @Persisted var mood: Mood = .glad
  @Persisted var before: Mood?
  @Persisted var moods: List<Mood> = []
  @Persisted var maybe: List<Mood?> = []
  @Persisted var bag: MutableSet<Mood> = []
  @Persisted var flags: Set<Mood> = []
  @Persisted var byName: Map<String, Mood> = [:]
  @Persisted var maybeByName: Map<String, Mood?> = [:]
}
private struct LaterEntry: IdentifiableStorage {
  static let storageName = "Entry"
  @Persisted(primaryKey: true) var id = 0
  @Persisted var mood: LaterMood = .glad
  @Persisted var before: LaterMood?
  @Persisted var moods: List<LaterMood> = []
  @Persisted var maybe: List<LaterMood?> = []
  @Persisted var bag: MutableSet<LaterMood> = []
  @Persisted var flags: Set<LaterMood> = []
  @Persisted var byName: Map<String, LaterMood> = [:]
  @Persisted var maybeByName: Map<String, LaterMood?> = [:]
}

/// Rows that a newer app wrote, with raw values that this one doesn't know.
@Suite struct UnknownRawValueTests {
  /// What the newer app wrote, as this one changed it, read by the newer one again.
  private func changed(_ change: @Sendable (inout Entry) -> Void) async throws -> LaterEntry {
    let bench = try await StoreBench([LaterEntry.self])
    var written = LaterEntry()
    (written.mood, written.before) = (.odd, .odd)
    written.moods = [.odd, .glad, .wild]
    written.maybe = [.odd, nil, .calm]
    written.bag = [.odd, .calm]
    written.flags = [.odd, .calm]
    written.byName = ["a": .odd, "c": .calm]
    written.maybeByName["a"] = .some(.odd)
    written.maybeByName["c"] = .some(nil)
    try await bench.store.save(written)
    await bench.store.close()
    var configuration = bench.configuration
    configuration.objectTypes = [Entry.self]
    let older = ObjectStore(configuration: configuration)
    try await older.open()
    try await older.update(Entry.self, id: 0, change)
    try await bench.check(older)
    await older.close()
    let newer = try await bench.reopened()
    let read = try #require(try await newer.object(LaterEntry.self, id: 0))
    #expect(read.mood == .odd && read.before == .odd)
    await newer.close()
    return read
  }

  private static func pairs(_ map: Map<String, LaterMood?>) -> [String] { map.map { "\($0.key):\($0.value?.rawValue ?? "nil")" } }

  @Test func aListKeepsThem() async throws {
    let read = try await changed { entry in
      #expect(Array(entry.moods) == [.calm, .glad, .calm])
      #expect(Array(entry.maybe) == [nil, nil, .calm])
      entry.moods.append(.glad)
      entry.maybe.insert(.glad, at: 0)
    }
    #expect(Array(read.moods) == [.odd, .glad, .wild, .glad])
    #expect(Array(read.maybe) == [.glad, .odd, nil, .calm])
  }

  @Test func aListKeepsThemWhereItsOrderChanges() async throws {
    let read = try await changed { entry in
      entry.moods.sort { $0.rawValue > $1.rawValue }
      entry.maybe.reverse()
      entry.maybe = entry.maybe.filter { $0 == nil }
    }
    #expect(read.moods.first == .glad && Set(read.moods) == [.odd, .glad, .wild])
    #expect(Array(read.maybe) == [nil, .odd])
    let replaced = try await changed { entry in
      entry.moods.removeAll { $0 == .glad }
      entry.moods[1] = .glad
      entry.maybe = [.calm]
    }
    #expect(Array(replaced.moods) == [.odd, .glad])
    #expect(Array(replaced.maybe) == [.calm])
  }

  @Test func setsKeepThem() async throws {
    let read = try await changed { entry in
      #expect(entry.bag.count == 1 && entry.flags == [.calm])
      entry.bag.insert(.glad)
      entry.bag.remove(.calm)
      entry.flags.insert(.glad)
      entry.flags.insert(.calm)
    }
    #expect(read.bag == [.odd, .glad])
    #expect(read.flags == [.odd, .calm, .glad])
    let replaced = try await changed { entry in
      entry.bag = [.glad]
      entry.flags = []
      entry.flags.insert(.glad)
    }
    #expect(replaced.bag == [.glad])
    #expect(replaced.flags == [.glad])
  }

  @Test func aMapKeepsThem() async throws {
    let read = try await changed { entry in
      #expect(entry.byName.keys == ["c"] && entry.maybeByName.keys == ["a", "c"])
      entry.byName["b"] = .glad
      entry.maybeByName["b"] = .some(.glad)
    }
    #expect(read.byName == ["a": .odd, "b": .glad, "c": .calm])
    #expect(Self.pairs(read.maybeByName) == ["a:odd", "b:glad", "c:nil"])
    let replaced = try await changed { entry in
      entry.byName["a"] = .glad
      entry.maybeByName["a"] = .some(nil)
    }
    #expect(replaced.byName == ["a": .glad, "c": .calm])
    #expect(Self.pairs(replaced.maybeByName) == ["a:nil", "c:nil"])
    let removed = try await changed { $0.byName["a"] = nil }
    #expect(removed.byName == ["c": .calm])
  }

  /// Each object is in a group, and counts in what it reads as.
  @Test func groupsAndExtremesCountThem() async throws {
    let bench = try await StoreBench([LaterEntry.self])
    let moods: [LaterMood] = [.odd, .glad, .calm, .wild, .glad]
    for (id, mood) in moods.enumerated() {
      var entry = LaterEntry()
      (entry.id, entry.mood, entry.before) = (id, mood, mood)
      try await bench.store.save(entry)
    }
    await bench.store.close()
    var configuration = bench.configuration
    configuration.objectTypes = [Entry.self]
    let older = ObjectStore(configuration: configuration)
    try await older.open()
    let groups = try await older.groups(Entry.self, by: \.mood)
    #expect(groups.map(\.key) == [.calm, .glad])
    #expect(groups.map { $0.results.map(\.id) } == [[2], [0, 1, 3, 4]])
    let optional = try await older.groups(Entry.self, by: \.before)
    #expect(optional.map(\.key) == [nil, .calm, .glad])
    #expect(optional.map { $0.results.map(\.id) } == [[0, 3], [2], [1, 4]])
    #expect(try await older.max(Entry.self, of: \.mood) == .glad)
    #expect(try await older.max(Entry.self, of: \.before) == .glad)
    #expect(try await older.min(Entry.self, of: \.before) == .calm)
    await older.close()
  }
}
