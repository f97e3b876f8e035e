import FoundationEssentials
import Testing

@testable import ObjectStorage

private struct Computing: StorageObject {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var isActive = true
  @Persisted var status: Status = .draft
  @Persisted var tags: List<String> = []
  @Persisted private(set) var secret = 0
  var plain = 0
  var upper: String { name.uppercased() }
  var trimmed: String { String(name.filter { $0 != " " }) }
  var same: String { name }
  var isInactive: Bool { !isActive }
  var next: Int { age + 1 }
  var both: String { name + "\(age)" }
  var constant: String { "" }
  var firstTags: List<String> { List(tags.prefix(1)) }
}

@Suite struct KeyPathTests {
  private func name<V>(_ keyPath: KeyPath<Computing, V>) throws -> String {
    let model = try ModelDescription.of(Computing.self)
    return model.properties[try model.propertyIndex(keyPath)].name
  }

  @Test func storedPropertiesResolve() throws {
    #expect(try name(\.name) == "name")
    #expect(try name(\.age) == "age")
    #expect(try name(\.isActive) == "isActive")
    #expect(try name(\.status) == "status")
    #expect(try name(\.tags) == "tags")
    #expect(try name(\.secret) == "secret")
    let model = try ModelDescription.of(Everything.self)
    let all: [PartialKeyPath<Everything>] = [
      \.bool, \.int8, \.uint, \.float, \.decimal, \.data, \.date, \.uuid, \.priority, \.anyBool, \.anyText, \.anyStatus, \.address,
      \.oldAddress, \.addresses, \.optionals, \.tags, \.statuses, \.attributes, \.notes,
    ]
    #expect(
      try all.map { model.properties[try model.propertyIndex($0)].name } == [
        "bool", "int8", "uint", "float", "decimal", "data", "date", "uuid", "priority", "anyBool", "anyText", "anyStatus",
        "address",
        "oldAddress", "addresses", "optionals", "tags", "statuses", "attributes", "notes",
      ])
  }

  @Test func anotherNameForAPropertyIsThatProperty() throws { #expect(try name(\.same) == "name") }

  @Test func computedPropertiesAreRefused() {
    let computed: [PartialKeyPath<Computing>] = [
      \.upper, \.trimmed, \.isInactive, \.next, \.both, \.constant, \.firstTags, \.name.count, \.plain, \.self,
      \.tags.count,
    ]
    for keyPath in computed {
      #expect(throws: QueryError.notAProperty(part: String(describing: keyPath))) {
        try ModelDescription.of(Computing.self).propertyIndex(keyPath)
      }
    }
  }
}
