import Foundation
import Testing

@testable import ObjectStorage

private struct Talk: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var date: Date? = nil
  @Persisted var room = Room()
}
private struct Room: EmbeddedObject, Equatable {
  @Persisted var street = ""
  @Persisted var tags: MutableSet<String> = []
  static func == (a: Room, b: Room) -> Bool { a.street == b.street }
}
private struct Gadget: EmbeddedObject {
  @Persisted var id = 0
  @Persisted var label = ""
}
private enum TalkStatus: String, PersistableEnum { case draft, sent, read }
private enum TalkPriority: Int, PersistableEnum { case low, high }

private struct Speaker: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted(indexed: true) var firstName = ""
  @Persisted var lastName: String = ""
  @Persisted var age = 0
  @Persisted var createdAt = Date()
  @Persisted var updatedAt: Date? = nil
  @Persisted var isActive = true
  @Persisted var events: PersistedList<Talk> = []
  var fullName: String { "\(firstName) \(lastName)" }
}

private struct EveryKind: StorageObject {
  @Persisted var bool = false
  @Persisted var int8: Int8 = 0
  @Persisted var uint: UInt = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.5
  @Persisted var decimal: Decimal = 0
  @Persisted var text = ""
  @Persisted var nickname: String?
  @Persisted var data = Data()
  @Persisted var uuid: UUID?
  @Persisted var status: TalkStatus = .draft
  @Persisted var priority: TalkPriority?
  @Persisted var address = Room()
  @Persisted var oldAddress: Room?
  @Persisted var addresses: PersistedList<Room> = []
  @Persisted var scores: PersistedList<Int> = []
  @Persisted var optionals: PersistedList<Double?> = []
  @Persisted var tags: Set<String> = []
  @Persisted var attributes: Map<String, Int> = [:]
  @Persisted var parts: PersistedList<Gadget> = []
}

/// Expressions as apps write them: that they compile, what they mean, and that they can be bound and read back.
@Suite struct CompiledExpressionTests {
  private static let users: [(DatabaseQuery<Speaker>, String)] = [
    (DatabaseQuery { $0.firstName == "Robert" }, "firstName == \"Robert\""),
    (DatabaseQuery { $0.firstName != "Robert" }, "firstName != \"Robert\""),
    (DatabaseQuery { $0.firstName.in(["Robert", "Tony"]) }, "firstName.in([\"Robert\", \"Tony\"])"),
    (DatabaseQuery { $0.age > 30 }, "age > 30"),
    (DatabaseQuery { $0.updatedAt != nil }, "updatedAt != nil"),
    (DatabaseQuery { $0.isActive == true }, "isActive == true"),
    (
      DatabaseQuery { $0.firstName.starts(with: "R") || $0.firstName.ends(with: "t") || $0.firstName.like("R*t") },
      "firstName.starts(with: \"R\") || firstName.ends(with: \"t\") || firstName.like(\"R*t\")"
    ),
    (
      DatabaseQuery { $0.firstName.contains("rob", options: .caseInsensitive) },
      "firstName.contains(\"rob\", options: caseInsensitive)"
    ),
    (DatabaseQuery { !$0.firstName.contains("x") }, "!firstName.contains(\"x\")"),
    (DatabaseQuery { $0.age >= 30 && $0.isActive == true }, "age >= 30 && isActive == true"),
    (DatabaseQuery { $0.events.count >= 5 }, "events.count >= 5"),
    (DatabaseQuery { $0.events.name == "Talk" }, "events.name == \"Talk\""),
    (DatabaseQuery { $0.events.filter { $0.name == "Talk" }.count > 1 }, "events.filter(name == \"Talk\").count > 1"),
    (DatabaseQuery { $0.events.none { $0.name == "banned" } }, "events.none(name == \"banned\")"),
    (DatabaseQuery { $0.age.between(1...5) && $0.age.between(1..<5) }, "age.between(1...5) && age.between(1..<5)"),
    (
      DatabaseQuery { user in
        user.events.any { event in event.name == user.firstName && event.room.tags.any { $0 == user.lastName } }
      },
      "events.any(name == $1.firstName && room.tags.any($0 == $2.lastName))"
    ),
  ]

  private static let others: [DatabaseQuery<EveryKind>] = [
    DatabaseQuery { $0.bool },
    DatabaseQuery { !$0.bool && $0.status == .sent && $0.status != .read && $0.priority == nil },
    DatabaseQuery { $0.nickname == "Bob" && $0.nickname.in(["a", "b"]) && $0.nickname < "z" },
    DatabaseQuery { $0.text.matches("[a-z]+") && $0.text.like("100\\*", options: [.caseInsensitive, .diacriticInsensitive]) },
    DatabaseQuery { $0.text.equals("strasse", options: .caseInsensitive) },
    DatabaseQuery { $0.scores.min > 3 && $0.scores.max < 9 && $0.scores.avg >= 4.5 && $0.scores.sum == 12 },
    DatabaseQuery { $0.scores.contains(3) && !$0.scores.isEmpty && $0.tags.contains("x") },
    DatabaseQuery { $0.parts.sum(of: \.id) > 3 && $0.parts.max(of: \.id) == nil },
    DatabaseQuery { $0.parts.any { $0.label == "a" } && $0.parts.all { $0.id > 3 } && $0.parts.label == "x" },
    DatabaseQuery { $0.attributes["colour"] == 3 && $0.attributes.keys.contains("a") && $0.attributes.count > 2 },
    DatabaseQuery { $0.address.street == "x" && $0.oldAddress.street == "y" && $0.oldAddress == nil },
    DatabaseQuery { $0.address.tags.contains("t") && $0.addresses.street == "z" },
    DatabaseQuery { $0.double < $0.double && $0.decimal == 1.5 && $0.uint > 3 && $0.int8.between(-1...5) },
    DatabaseQuery { $0.text.in(DatabaseQuery<Speaker> { $0.age > 3 }, of: \.firstName) },
    DatabaseQuery { $0.uuid == nil && $0.data == Data([1]) && $0.optionals.contains(nil) && $0.float > 0.5 },
  ]

  // A long one, for the type checker.
  private static let long = DatabaseQuery<Speaker>().where {
    !$0.isActive && ($0.firstName.contains("ob", options: .caseInsensitive) || $0.age.between(1...3)) && $0.events.name == "Talk"
      && $0.events.filter { $0.name == "x" }.count > 1 && $0.events.all { $0.room.street == "q" } && $0.updatedAt != nil
      && $0.createdAt < Date() && $0.lastName.in(["a", "b"]) && ($0.age == 1 || $0.age == 2 || $0.age == 3)
  }.sorted(by: \.age, ascending: false).limited(to: 20)

  private func schema<E: StorageFields>(_ type: E.Type) throws -> TypeSchema {
    try TypeSchema(ModelDescription.of(type), typeID: 1)
  }

  @Test func meaning() throws {
    for (query, text) in Self.users {
      #expect(query.description == text)
      #expect(try DatabaseQuery<Speaker>(text: text).form == query.form, "\(text)")
      _ = try BoundQuery(query.form, schema: schema(Speaker.self))
    }
  }

  @Test func everyKind() throws {
    let schemas = ["Speaker": try schema(Speaker.self)]
    for query in Self.others {
      #expect(try DatabaseQuery<EveryKind>(text: query.description).form == query.form, "\(query)")
      _ = try BoundQuery(query.form, schema: schema(EveryKind.self), schemas: schemas)
    }
  }

  @Test func longExpression() throws {
    #expect(try DatabaseQuery<Speaker>(text: Self.long.description).form == Self.long.form)
    _ = try BoundQuery(Self.long.form, schema: schema(Speaker.self))
  }

  @Test func builders() throws {
    func isAdult(_ user: Query<Speaker>) -> Query<Bool> { user.age >= 18 }
    func isChild(_ user: DatabaseQuery<Speaker>.Root) -> DatabaseQuery<Speaker>.Condition { !isAdult(user) }
    #expect(DatabaseQuery<Speaker> { isAdult($0) && !isChild($0) }.description == "age >= 18 && !!(age >= 18)")

    let base = DatabaseQuery<Speaker>().where { $0.age >= 40 }.where { $0.age < 90 }
    let sorted = base.sorted(by: \.updatedAt).sorted(by: [Sort.descending(\Speaker.age), .ascending(\.firstName)]).distinct(
      by: \.lastName)
    #expect(sorted.description == "age >= 40 && age < 90 | sort updatedAt, -age, firstName | distinct lastName")
    #expect(base.description == "age >= 40 && age < 90")
    let byCount = DatabaseQuery<Speaker>().sorted(ascending: false) { $0.events.count }.limited(to: -3).offset(by: -1)
    #expect(byCount.description == "| sort -events.count | limit 0 | offset 0")
    let filter: DatabaseQuery<Speaker>.Filter = { $0.age > 1 }
    #expect(DatabaseQuery(filter).description == "age > 1")
  }

  /// The closure runs once, when the query is built.
  @Test func closureRunsOnce() throws {
    var count = 0
    let query = DatabaseQuery<Speaker> {
      count += 1
      return $0.age > count
    }
    _ = query.description
    _ = try BoundQuery(query.form, schema: schema(Speaker.self))
    #expect(count == 1)
    #expect(query.description == "age > 1")
  }

  @Test func computedPropertiesAreRefused() throws {
    let query = DatabaseQuery<Speaker> { $0.fullName == "x" }
    #expect {
      try BoundQuery(query.form, schema: schema(Speaker.self))
    } throws: { error in
      if case QueryError.notAProperty = error { true } else { false }
    }
    #expect(throws: QueryError.self) {
      try BoundQuery(DatabaseQuery<Speaker>().sorted(by: \.fullName).form, schema: schema(Speaker.self))
    }
  }

  @Test func wholeStructsAreRefused() throws {
    let query = DatabaseQuery<EveryKind> { $0.address == Room() }
    #expect {
      try BoundQuery(query.form, schema: schema(EveryKind.self))
    } throws: { error in
      if case QueryError.unsupported = error { true } else { false }
    }
  }
}
