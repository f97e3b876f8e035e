import FoundationEssentials
import RawMemory
import Testing

@testable import ObjectStorage

private struct Draft: IdentifiableStorage {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
  @Persisted var note: String?
  @Persisted var count = 7
  @Persisted var status: Status

  init() {
    name = "unnamed"
    status = .sent
  }
  init(id: String, count: Int) {
    self.init()
    self.id = id
    self.count = count
  }
}

/// What `save` writes over an existing row.
@Suite struct PersistedTests {
  @Test func aPatchChangesWhatItAssigns() throws {
    let bench = try RowBench(Person.self)
    let row = try bench.bytes(Person(id: "1", firstName: "J", lastName: "x", age: 3, updatedAt: Date(), nickname: "n"))
    var patch = Person()
    patch.id = "1"
    patch.firstName = "B"
    patch.updatedAt = nil
    #expect(try bench.changed(patch) == ["id", "firstName", "updatedAt"])
    let before = try bench.read(row)
    let after = try bench.read(try bench.patched(row, with: patch))
    #expect(after.firstName == "B" && after.lastName == "x" && after.age == 3 && after.nickname == "n")
    #expect(after.updatedAt == nil)
    #expect(after.createdAt == before.createdAt && after.token == before.token)
  }

  @Test func assigningADefaultWritesIt() throws {
    var patch = Person()
    #expect(try RowBench(Person.self).changed(patch).isEmpty)
    patch.age = 0
    patch.isActive = true
    patch.nickname = nil
    patch.createdAt = Date()
    #expect(try RowBench(Person.self).changed(patch) == ["age", "isActive", "createdAt", "nickname"])
  }

  @Test func aMemberwiseInitWritesWhatDiffersFromTheDefault() throws {
    let bench = try RowBench(Person.self)
    #expect(try bench.changed(Person(id: "1", firstName: "B", age: 0, isActive: false)) == ["id", "firstName", "isActive"])
  }

  @Test func aDefaultThatChangesIsntWrittenUnlessItIsGiven() throws {
    let bench = try RowBench(Person.self)
    #expect(try bench.changed(Person()).isEmpty)
    #expect(try bench.changed(Person(createdAt: Date(timeIntervalSinceReferenceDate: 1))) == ["createdAt"])
    #expect(try bench.changed(Person(createdAt: .distantFuture)) == ["createdAt"])
    #expect(try bench.changed(Person(token: UUID())).isEmpty)
    var person = Person()
    person.token = UUID()
    person.createdAt = Date()
    #expect(try bench.changed(person) == ["createdAt", "token"])
  }

  @Test func anInitOfTheTypesOwnGivesDefaults() throws {
    let bench = try RowBench(Draft.self)
    #expect(bench.model.properties.map(\.defaultValue) == [.string(""), .string("unnamed"), .null, .int(7), .string("sent")])
    #expect(try bench.changed(Draft()).isEmpty)
    #expect(try bench.changed(Draft(id: "1", count: 7)) == ["id"])
    #expect(try bench.changed(Draft(id: "1", count: 8)) == ["id", "count"])
    var patch = Draft()
    patch.name = "unnamed"
    #expect(try bench.changed(patch) == ["name"])
  }

  @Test func optionsStayWhenInitAssigns() throws {
    let model = try ModelDescription.of(SelfMade.self)
    #expect(model.primaryKey == 0 && model.indexes.map(\.properties) == [[1]] && model.properties[1].defaultValue == .int(4))
    #expect(model.changedProperties(of: SelfMade()).isEmpty)
  }

  @Test func aValueReadWritesWhatWasAssignedSince() throws {
    let bench = try RowBench(Person.self)
    var person = try bench.roundTrip(Person(id: "1", firstName: "J", age: 3))
    #expect(!person.$age.isAssigned)
    #expect(try bench.changed(person).isEmpty)
    person.age += 0
    #expect(person.$age.isAssigned)
    #expect(try bench.changed(person) == ["age"])
    #expect(bench.model.row(of: person)?.key == [1])
  }

  @Test func theRowIsKnownWhenEverythingWasAssigned() throws {
    let bench = try RowBench(Small.self)
    var object = try bench.roundTrip(Small())
    object.a = 1
    object.b = "x"
    object.a = 2
    #expect(bench.model.row(of: object)?.key == [1])
    #expect(try bench.changed(object) == ["a", "b"])
  }

  @Test func copiesAreValues() throws {
    let bench = try RowBench(Small.self)
    let read = try bench.roundTrip(Small(a: 1, b: "b"))
    var copy = read
    copy.a = 2
    #expect(read.a == 1 && copy.a == 2 && copy.b == "b")
    #expect(try read.detached().b == "b")
  }

  @Test func columnsThatTheModelDoesntListAreKept() throws {
    let full = try RowBench(Person.self)
    let row = try full.bytes(Person(id: "1", firstName: "J", lastName: "L", age: 3, nickname: "n"))
    let part = try RowBench(PersonInBrief.self, schema: full.schema)
    var brief = try part.read(row)
    #expect(brief.firstName == "J")
    brief.firstName = "K"
    for properties in [nil, part.model.changedProperties(of: brief)] {
      let written = try row.withRawSpan { try RowWriter(part.mapping).encode(brief, over: $0, properties: properties) }
      let person = try full.read(written)
      #expect(person.firstName == "K" && person.lastName == "L" && person.age == 3 && person.nickname == "n")
    }
    // A new row has the defaults of the others.
    let person = try full.read(try part.bytes(PersonInBrief(id: "2", firstName: "N")))
    #expect(person.id == "2" && person.isActive && person.status == .draft && person.nickname == nil)
  }

  @Test func collectionsAreChangedInPlace() throws {
    var object = Everything()
    for index in 0..<10_000 { object.scores.append(index) }
    #expect(object.scores.count == 10_000)
    let bench = try RowBench(Everything.self)
    var read = try bench.roundTrip(object)
    #expect(read.scores[5_000] == 5_000)
    read.scores.append(1)
    read.scores[0] = -1
    #expect(read.scores.count == 10_001 && read.scores.first == -1 && object.scores.first == 0)
    #expect(try bench.changed(read) == ["scores"])
  }
}

/// Its `init()` assigns the key: what is declared of it isn't lost.
private struct SelfMade: IdentifiableStorage {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var n = 0
  init() {
    id = UUID().uuidString
    n = 4
  }
}

private struct Small: StorageObject {
  @Persisted var a = 0
  @Persisted var b = ""
}
private struct PersonInBrief: IdentifiableStorage {
  static let storageName = "Person"
  @Persisted var firstName = ""
  @Persisted(primaryKey: true) var id = ""

  init() {}
  init(id: String, firstName: String) {
    self.id = id
    self.firstName = firstName
  }
}
