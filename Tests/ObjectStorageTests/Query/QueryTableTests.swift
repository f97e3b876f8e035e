import Foundation
import RawMemory
import Testing

@testable import ObjectStorage

/// Each line of what can be asked, on five objects that can be looked over.
@Suite struct QueryTableTests {
  private static let samples: [Sample] = (0..<5).map { number in
    var sample = Sample()
    sample.id = number
    sample.age = [30, 40, 20, 40, -1][number]
    sample.name = ["Robert", "rob", "Éj", "Москва", "straße"][number]
    sample.nickname = ["Bob", nil, "", nil, "İ"][number]
    sample.score = [1.5, .nan, nil, -0.0, 0][number]
    sample.flag = number.isMultiple(of: 2)
    sample.status = [.draft, .sent, .read, .sent, .draft][number]
    sample.scores = [[1, 2, 3], [], [3], [-3, -1], [5, 5]][number]
    sample.tags = [["a"], ["a", "b"], [], ["é"], ["b"]][number]
    sample.optionals = [[nil], [1, nil], [], [.nan], [2, 3]][number]
    sample.places = PersistedList(["x", "y"].prefix(number % 3).map(place))
    sample.oldAddress = number < 2 ? place("old") : nil
    sample.address = place(sample.name)
    if number > 2 { sample.attributes["colour"] = number }
    return sample
  }
  private static func place(_ street: String) -> SamplePlace {
    var place = SamplePlace()
    place.street = street
    return place
  }

  private let table: SampleTable
  init() throws { table = try SampleTable(Self.samples) }
  private func ids(_ filter: (Query<Sample>) -> Query<Bool>) throws -> [Int] { try table.ids(DatabaseQuery(filter)) }

  @Test func comparison() throws {
    #expect(try ids { $0.age == 40 } == [1, 3])
    #expect(try ids { $0.age != 40 } == [0, 2, 4])
    #expect(try ids { $0.age < 30 } == [2, 4])
    #expect(try ids { $0.age <= 30 } == [0, 2, 4])
    #expect(try ids { $0.age > 30 } == [1, 3])
    #expect(try ids { $0.age >= 30 } == [0, 1, 3])
    #expect(try ids { $0.age.between(20...30) } == [0, 2])
    #expect(try ids { $0.age.between(20..<30) } == [2])
    #expect(try ids { $0.age.in([20, 40]) } == [1, 2, 3])
    #expect(try ids { $0.age.in([]) } == [])
    #expect(try ids { !$0.age.in([]) } == [0, 1, 2, 3, 4])
    #expect(try ids { $0.status == .sent } == [1, 3])
    #expect(try ids { $0.age > $0.id } == [0, 1, 2, 3])
  }

  @Test func subquery() throws {
    let adults = DatabaseQuery<Sample> { $0.age >= 40 }
    #expect(try ids { $0.age.in(adults, of: \.age) } == [1, 3])
    #expect(try ids { !$0.name.in(adults, of: \.name) } == [0, 2, 4])
    #expect(try ids { $0.id.in(adults.limited(to: 1), of: \.id) } == [1])
    #expect(try ids { $0.id.in(DatabaseQuery<Sample> { $0.age.in(adults, of: \.age) }, of: \.id) } == [1, 3])
  }

  /// A comparison with nil inside is false, its negation true.
  @Test func optionals() throws {
    #expect(try ids { $0.nickname == nil } == [1, 3])
    #expect(try ids { $0.nickname != nil } == [0, 2, 4])
    #expect(try ids { $0.nickname < "Z" } == [0, 2])
    #expect(try ids { !($0.nickname < "Z") } == [1, 3, 4])
    #expect(try ids { $0.nickname != "Bob" } == [1, 2, 3, 4])
    #expect(try ids { $0.nickname.in(["Bob", nil]) } == [0, 1, 3])
    #expect(try ids { !$0.nickname.contains("") } == [1, 3])
    #expect(try ids { $0.score == $0.score } == [0, 2, 3, 4])
    #expect(try ids { $0.oldAddress == nil } == [2, 3, 4])
    #expect(try ids { $0.oldAddress != nil } == [0, 1])
    // Through a nil struct every comparison but != is false.
    #expect(try ids { $0.oldAddress.street == "old" } == [0, 1])
    #expect(try ids { $0.oldAddress.street != "old" } == [2, 3, 4])
    #expect(try ids { $0.oldAddress.street < "z" } == [0, 1])
  }

  /// As IEEE has them: NaN equals nothing, and the zeros are one.
  @Test func floatingPoint() throws {
    #expect(try ids { $0.score == 0 } == [3, 4])
    #expect(try ids { $0.score == .nan } == [])
    #expect(try ids { $0.score != .nan } == [0, 1, 2, 3, 4])
    #expect(try ids { $0.score >= 0 } == [0, 3, 4])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.score)) == [2, 3, 4, 0, 1])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.score, ascending: false)) == [1, 0, 3, 4, 2])
  }

  @Test func strings() throws {
    #expect(try ids { $0.name.contains("ob") } == [0, 1])
    #expect(try ids { $0.name.starts(with: "R") } == [0])
    #expect(try ids { $0.name.ends(with: "t") } == [0])
    #expect(try ids { $0.name.like("?ob*") } == [0, 1])
    #expect(try ids { $0.name.matches("[A-Z]\\w+") } == [0])
    #expect(try ids { $0.name == "E\u{301}j" } == [2])
    #expect(try ids { $0.name.contains("E") } == [])
    #expect(try ids { $0.name.in(["E\u{301}j", "rob"]) } == [1, 2])
  }

  /// B078: in every script.
  @Test func folding() throws {
    #expect(try ids { $0.name.contains("ROB", options: .caseInsensitive) } == [0, 1])
    #expect(try ids { $0.name.contains("МОСК", options: .caseInsensitive) } == [3])
    #expect(try ids { $0.name.starts(with: "éJ", options: .caseInsensitive) } == [2])
    #expect(try ids { $0.name.equals("ej", options: [.caseInsensitive, .diacriticInsensitive]) } == [2])
    #expect(try ids { $0.name.equals("Ej", options: .diacriticInsensitive) } == [2])
    #expect(try ids { $0.name.equals("STRASSE", options: .caseInsensitive) } == [4])
    #expect(try ids { $0.nickname.equals("i\u{307}", options: .caseInsensitive) } == [4])
    #expect(try ids { $0.nickname.equals("i", options: .caseInsensitive) } == [])
    #expect(try ids { $0.nickname.equals("i", options: [.caseInsensitive, .diacriticInsensitive]) } == [4])
    #expect(try ids { $0.name.like("*SS*", options: .caseInsensitive) } == [4])
    #expect(try ids { $0.name.matches("м[А-Я]+", options: .caseInsensitive) } == [3])
  }

  @Test func logic() throws {
    #expect(try ids { $0.flag } == [0, 2, 4])
    #expect(try ids { !$0.flag } == [1, 3])
    #expect(try ids { $0.flag == false } == [1, 3])
    #expect(try ids { $0.flag && $0.age > 20 || $0.name == "rob" } == [0, 1])
    #expect(try ids { !($0.flag || $0.age == 40) } == [])
    #expect(try table.ids(DatabaseQuery<Sample>().where { $0.flag }.where { $0.age > 0 }) == [0, 2])
  }

  @Test func collections() throws {
    #expect(try ids { $0.scores.count > 1 } == [0, 3, 4])
    #expect(try ids { $0.scores.isEmpty } == [1])
    #expect(try ids { $0.scores.contains(3) } == [0, 2])
    #expect(try ids { $0.scores.min == -3 } == [3])
    #expect(try ids { $0.scores.max < 0 } == [3])
    #expect(try ids { $0.scores.sum == 10 } == [4])
    #expect(try ids { $0.scores.sum == 0 } == [1])
    #expect(try ids { $0.scores.avg == 2 } == [0])
    #expect(try ids { $0.scores.any { $0 > 2 } } == [0, 2, 4])
    #expect(try ids { $0.scores.all { $0 > 2 } } == [1, 2, 4])
    #expect(try ids { $0.scores.none { $0 > 2 } } == [1, 3])
    #expect(try ids { $0.scores.filter { $0 > 2 }.count == 2 } == [4])
    #expect(try ids { $0.tags.contains("e\u{301}") } == [3])
    #expect(try ids { $0.optionals.contains(nil) } == [0, 1])
    #expect(try ids { $0.optionals.max == 3 } == [4])
    #expect(try ids { $0.places.street == "x" } == [1, 2, 4])
    #expect(try ids { $0.places.street != "x" } == [2])
    #expect(try ids { $0.places.max(of: \.street) == "y" } == [2])
    #expect(try ids { $0.places.filter { $0.street == "y" }.isEmpty } == [0, 1, 3, 4])
    #expect(try ids { $0.attributes["colour"] == 3 } == [3])
    #expect(try ids { $0.attributes["colour"] == nil } == [0, 1, 2])
    #expect(try ids { $0.attributes.keys.contains("colour") && $0.attributes.values.any { $0 > 3 } } == [4])
    #expect(try ids { $0.attributes.isEmpty } == [0, 1, 2])
    #expect(try ids { sample in sample.scores.any { $0 == sample.id } } == [])
    #expect(try ids { $0.address.street == "rob" } == [1])
  }

  /// B081: the first as sorted so far, in written order.
  @Test func distinct() throws {
    let pairs = [("A", 1), ("A", 3), ("B", 2)].enumerated().map { index, pair in
      var sample = Sample()
      sample.id = index
      (sample.name, sample.age) = pair
      return sample
    }
    let table = try SampleTable(pairs)
    let sorted = DatabaseQuery<Sample>().sorted(by: \.age, ascending: false)
    #expect(try table.ids(sorted.distinct(by: \.name).limited(to: 1)) == [1])
    #expect(try table.ids(sorted.limited(to: 1).distinct(by: \.name)) == [1])
    #expect(try table.ids(sorted.distinct(by: \.name)) == [1, 2])
    #expect(try table.ids(DatabaseQuery<Sample>().distinct(by: \.name).sorted(by: \.age, ascending: false)) == [2, 0])
    #expect(try table.ids(sorted.limited(to: 2).distinct(by: \.name).offset(by: 1)) == [2])
  }

  @Test func order() throws {
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.age)) == [4, 2, 0, 1, 3])
    // Ties stay in key order, whichever way.
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.age, ascending: false)) == [1, 3, 0, 2, 4])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.nickname)) == [1, 3, 2, 0, 4])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.name)) == [0, 1, 4, 2, 3])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted { $0.address.street }) == [0, 1, 4, 2, 3])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: [.descending(\.age), .descending(\.id)])) == [3, 1, 0, 2, 4])
    #expect(try table.ids(DatabaseQuery<Sample>().limited(to: 3).where { $0.age == 40 }) == [1])
    #expect(try table.ids(DatabaseQuery<Sample>().offset(by: 1).limited(to: 2)) == [1, 2])
    #expect(try table.ids(DatabaseQuery<Sample>().limited(to: 2).offset(by: 1)) == [1])
    #expect(try table.ids(DatabaseQuery<Sample>().limited(to: .max).offset(by: .max)) == [])
  }

  @Test func cursors() throws {
    let query = DatabaseQuery<Sample>().sorted(by: \.age).limited(to: 2)
    let plan = try table.plan(query.form)
    let last = try table.run(plan).keys[1]
    let row = table.row(last)
    let cursor = try plan.cursor(row: row.span.raw, rowKey: last.span.raw)
    #expect(try table.ids(query.after(cursor)) == [0, 1])
    #expect(try table.ids(query.after(cursor).offset(by: 1)) == [1])
    #expect(try table.ids(DatabaseQuery<Sample>().sorted(by: \.age).after(cursor)) == [0, 1, 3])
    #expect(try table.ids(DatabaseQuery<Sample>(text: query.after(cursor).description)) == [0, 1])
    #expect(throws: QueryError.foreignCursor) { try table.ids(DatabaseQuery<Sample>().after(cursor)) }
    #expect(throws: QueryError.foreignCursor) { try table.ids(DatabaseQuery<Sample> { $0.flag }.sorted(by: \.age).after(cursor)) }
    let decoded = try JSONDecoder().decode(StorageCursor.self, from: JSONEncoder().encode(cursor))
    #expect(decoded == cursor)
  }
}
