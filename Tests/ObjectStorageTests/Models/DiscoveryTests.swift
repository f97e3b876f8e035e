import FoundationEssentials
import Testing

@testable import ObjectStorage

@Suite struct DiscoveryTests {
  private func refusal<E: StorageFields>(_ type: E.Type) -> (property: String?, reason: String)? {
    do {
      _ = try ModelDescription.of(type)
      return nil
    } catch {
      guard case .invalidSchema(_, let property, let reason) = error else { return nil }
      return (property, reason)
    }
  }

  @Test func whatIsDeclaredIsFound() throws {
    let model = try ModelDescription.of(Person.self)
    #expect(model.name == "Person")
    #expect(model.primaryKey == 0)
    #expect(
      model.properties.map(\.name) == [
        "id", "firstName", "lastName", "age", "height", "isActive", "createdAt", "updatedAt", "token", "status", "nickname",
        "about",
      ])
    #expect(model.properties.map(\.kind).prefix(7) == [.string, .string, .string, .int64, .double, .bool, .date])
    #expect(model.properties.filter(\.isOptional).map(\.name) == ["updatedAt", "nickname"])
    #expect(model.properties.filter(\.isDefaultVolatile).map(\.name) == ["createdAt", "token"])
    #expect(model.properties.filter(\.options.fullText).map(\.name) == ["about"])
    #expect(
      model.indexes == [
        ModelIndex(properties: [1], isUnique: false), ModelIndex(properties: [2, 3], isUnique: false),
        ModelIndex(properties: [10], isUnique: true),
      ])
    #expect(try ModelDescription.of(Person.self) === model)
  }

  @Test func defaultsAndElementsAreFound() throws {
    let model = try ModelDescription.of(Everything.self)
    func property(_ name: String) throws -> ModelProperty { model.properties[try #require(model.propertyIndex(named: name))] }
    #expect(try property("double").defaultValue == .double(0.5))
    #expect(try property("priority").defaultValue == .int(0))
    #expect(try property("optionals").element == .double)
    #expect(try property("optionals").isElementOptional)
    #expect(try property("addresses").fields?.properties.map(\.name) == ["street", "number", "tags"])
    #expect(try property("oldAddress").isOptional)
    #expect(try property("statuses").kind == .set)
    #expect(try property("notes").element == .string)
  }

  @Test func storedPropertiesThatArentPersistedDoNoHarm() throws {
    let bench = try RowBench(Mixed.self)
    var object = Mixed()
    object.a = 5
    object.b = "b"
    object.small = 3
    object.anything = [1, 2, 3]
    let read = try bench.roundTrip(object)
    #expect(read.a == 5 && read.b == "b")
    #expect(read.small == 1 && read.anything as? String == "x")
    #expect(bench.model.properties.map(\.name) == ["a", "b"])
  }

  @Test func whatCantBeStoredIsRefusedByName() {
    #expect(refusal(Linking.self)?.property == "other")
    #expect(refusal(ListLinking.self)?.property == "others")
    #expect(refusal(Nested.self)?.property == "rows")
    #expect(refusal(TwoKeys.self)?.property == "b")
    #expect(refusal(OptionalKey.self)?.property == "key")
    #expect(refusal(NoKey.self)?.property == "id")
    #expect(refusal(OtherKey.self)?.property == "key")
    #expect(refusal(TextOfNumbers.self)?.property == "n")
    #expect(refusal(IndexedList.self)?.property == "list")
    #expect(refusal(IndexedEmbedded.self)?.property == "inner")
    #expect(refusal(Endless.self)?.property == "child")
    #expect(refusal(Nothing.self)?.reason == "it has no @Persisted property")
    #expect(refusal(Class.self)?.reason == "a model is a struct")
    #expect(refusal(BadIndex.self) != nil)
  }
}

private struct Mixed: StorageObject {
  var small: Int8 = 1
  @Persisted var a = 0
  var pair: (Int16, String) = (1, "p")
  @Persisted var b = ""
  var anything: any Sendable = "x"
}
private struct Linking: StorageObject { @Persisted var other: Person? }
private struct ListLinking: StorageObject { @Persisted var others: List<Person> = [] }
private struct Nested: StorageObject { @Persisted var rows: List<List<Int>> = [] }
private struct TwoKeys: StorageObject {
  @Persisted(primaryKey: true) var a = 0
  @Persisted(primaryKey: true) var b = 0
}
private struct OptionalKey: StorageObject { @Persisted(primaryKey: true) var key: Int? }
private struct NoKey: IdentifiableStorage { @Persisted var id = 0 }
private struct OtherKey: IdentifiableStorage {
  @Persisted var id = 0
  @Persisted(primaryKey: true) var key = 0
}
private struct TextOfNumbers: StorageObject { @Persisted(fullText: true) var n = 0 }
private struct IndexedList: StorageObject { @Persisted(indexed: true) var list: List<Int> = [] }
private struct Inner: EmbeddedObject { @Persisted(indexed: true) var inner = 0 }
private struct IndexedEmbedded: StorageObject { @Persisted var embedded: Inner }
private struct Endless: EmbeddedObject { @Persisted var child: List<Endless> }
private struct Nothing: StorageObject { var a = 0 }
private final class Class: StorageObject { let a = 0 }
private struct BadIndex: StorageObject {
  @Persisted var a = 0
  static let indexes: [StorageIndex<BadIndex>] = [.index(\.a.description)]
}
