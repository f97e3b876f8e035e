import FoundationEssentials
import RawMemory
import Testing

@testable import ObjectStorage

private enum One {
  struct Inner: EmbeddedObject { @Persisted var x = 1 }
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var title = ""
    @Persisted var count = 3
    @Persisted var inner = Inner()
    @Persisted var gone = "g"
  }
}
private enum Two {
  struct Inner: EmbeddedObject {
    @Persisted var x = 1
    @Persisted var y = "new"
  }
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var id = ""
    @Persisted(indexed: true, fullText: true) var title = ""
    @Persisted var count: Int? = 3
    @Persisted var inner = Inner()
    @Persisted var rank = 18
    static let indexes: [StorageIndex<Note>] = [.unique(\.rank, \.count)]
  }
}
private enum Three {
  struct Note: IdentifiableStorage {
    @Persisted(primaryKey: true) var title = ""
    var id: String {
      get { title }
      set { title = newValue }
    }
    @Persisted var count = ""
    @Persisted var inner: List<Int> = []
    @Persisted var gone: String?
  }
}

@Suite struct SchemaMergingTests {
  @Test func whatIsTheSameIsLeftAlone() throws {
    let bench = try RowBench(One.Note.self)
    let merged = try bench.schema.merged(with: bench.model)
    #expect(merged.differences.isEmpty && merged.schema == bench.schema)
  }

  @Test func additionsNeedNoRow() throws {
    let old = try RowBench(One.Note.self)
    var note = One.Note(id: "1", title: "t", count: 5)
    note.inner.x = 2
    let row = try old.bytes(note)

    let merged = try old.schema.merged(with: ModelDescription.of(Two.Note.self))
    #expect(
      merged.differences == [
        SchemaDifference(type: "Note", property: "title", kind: .indexAdded, isAdditive: true),
        SchemaDifference(type: "Note", property: "count", kind: .propertyTypeChanged(from: "Int", to: "Int?"), isAdditive: true),
        SchemaDifference(type: "Note", property: "inner.y", kind: .propertyAdded, isAdditive: true),
        SchemaDifference(type: "Note", property: "rank", kind: .propertyAdded, isAdditive: true),
        SchemaDifference(type: "Note", property: "gone", kind: .propertyRemoved, isAdditive: true),
        SchemaDifference(type: "Note", property: "title", kind: .indexAdded, isAdditive: true),
        SchemaDifference(type: "Note", property: "rank+count", kind: .indexAdded, isAdditive: true),
      ])
    #expect(merged.schema.layouts.map(\.id) == [1, 2])
    #expect(merged.schema.indexes.map(\.name) == ["Note.title", "Note.rank+count"])
    #expect(try merged.schema.merged(with: ModelDescription.of(Two.Note.self)).schema == merged.schema)

    let new = try RowBench(Two.Note.self, schema: merged.schema)
    var read = try new.read(row)
    #expect(read.title == "t" && read.count == 5 && read.rank == 18 && read.inner.x == 2 && read.inner.y == "new")
    read.count = nil
    let written = try new.patched(row, with: read)
    let again = try new.read(written)
    #expect(again.title == "t" && again.count == nil && again.rank == 18 && again.inner.x == 2)

    // A process with the old code reads and writes new rows, and loses nothing.
    let past = try RowBench(One.Note.self, schema: merged.schema)
    var seen = try past.read(written)
    #expect(seen.title == "t" && seen.count == 3 && seen.gone == "g" && seen.inner.x == 2)
    seen.title = "u"
    seen.inner.x = 9
    let last = try new.read(try past.patched(written, with: seen))
    #expect(last.title == "u" && last.count == nil && last.rank == 18 && last.inner.x == 9 && last.inner.y == "new")
  }

  @Test func theDefaultIsTheOneFromWhenTheColumnWasAdded() throws {
    let old = try RowBench(One.Note.self)
    let row = try old.bytes(One.Note())
    let schema = try old.schema.merged(with: ModelDescription.of(Two.Note.self)).schema
    let access = ColumnAccess(schema, column: try #require(schema.column(named: "rank")).id)
    #expect(try row.withRawSpan { try access.field(in: $0) } == .absent)
    #expect(try row.withRawSpan { try access.value(in: $0) } == .int(18))
  }

  @Test func whatNeedsAMigrationIsNamed() throws {
    let old = try RowBench(One.Note.self)
    let merged = try old.schema.merged(with: ModelDescription.of(Three.Note.self))
    #expect(
      merged.differences.filter { !$0.isAdditive } == [
        SchemaDifference(type: "Note", property: "count", kind: .propertyTypeChanged(from: "Int", to: "String"), isAdditive: false),
        SchemaDifference(
          type: "Note", property: "inner", kind: .propertyTypeChanged(from: "EmbeddedObject", to: "List<Int>"), isAdditive: false),
        SchemaDifference(type: "Note", property: "title", kind: .primaryKeyChanged, isAdditive: false),
      ])
    #expect(merged.schema.column(named: "count")?.kind == .int64)
    #expect(merged.differences.first { $0.property == "count" }?.description == "Note.count was Int and is String")
    // An optional can't be made required without looking at the rows.
    let two = try RowBench(Two.Note.self)
    let back = try two.schema.merged(with: ModelDescription.of(One.Note.self))
    #expect(back.differences.contains { $0.property == "count" && !$0.isAdditive })
    #expect(back.schema.indexes == two.schema.indexes)
    #expect(back.differences.filter { $0.kind == .indexRemoved }.map(\.property) == ["title", "rank+count"])
  }

  @Test func migrationsRenameAndDropWithoutARow() throws {
    let old = try RowBench(One.Note.self)
    let row = try old.bytes(One.Note(id: "1", title: "t", count: 5))
    let schema = try old.schema.renamingColumn("title", to: "gone2").droppingColumn("gone").renamingColumn("gone2", to: "gone")
    #expect(schema.layouts.count == 2 && schema.columns.count == 5)
    #expect(
      try row.withRawSpan { try schema.entries(in: $0) } == [
        .init("id", .string("1")), .init("gone", .string("t")), .init("count", .int(5)),
        .init("inner", .object([.init("x", .int(1))])),
      ])
    // A column of a dropped one's name is another column.
    let property = try ModelDescription.of(Three.Note.self).properties[1]
    let replaced = try schema.replacingColumn(with: property)
    #expect(replaced.column(named: "count")?.id == 6)
    #expect(try row.withRawSpan { try ColumnAccess(replaced, column: 6).value(in: $0) } == .string(""))
    #expect(try row.withRawSpan { try ColumnAccess(replaced, column: 3).value(in: $0) } == .int(5))
  }

  @Test func impossibleChangesAreRefused() throws {
    let schema = try RowBench(One.Note.self).schema
    #expect(throws: StorageError.self) { try schema.renamingColumn("x", to: "y") }
    #expect(throws: StorageError.self) { try schema.renamingColumn("title", to: "count") }
    #expect(throws: StorageError.self) { try schema.droppingColumn("id") }
    #expect(throws: StorageError.self) { try schema.droppingColumn("x") }
  }

  @Test func indexesGoWhenAsked() throws {
    let two = try RowBench(Two.Note.self)
    let none = try two.schema.droppingIndexes(notIn: ModelDescription.of(One.Note.self))
    #expect(none.indexes.isEmpty && none.column(named: "title")?.isFullText == false)
    // The id of a dropped index isn't given to another.
    let again = try none.merged(with: two.model).schema
    #expect(again.indexes.map(\.id) == [3, 4])
    #expect(try two.schema.droppingColumn("rank").indexes.map(\.name) == ["Note.title"])
    #expect(try two.schema.renamingColumn("title", to: "t").renamed(to: "N").indexes.map(\.name) == ["N.t", "N.rank+count"])
  }

  @Test func layoutsAreOnlyAdded() throws {
    var schema = try RowBench(One.Note.self).schema
    let row = try RowBench(One.Note.self).bytes(One.Note(id: "1", title: "t"))
    for _ in 0..<100 {
      schema = try schema.droppingColumn("count").merged(with: ModelDescription.of(One.Note.self)).schema
    }
    #expect(schema.layouts.count == 201)
    let bench = try RowBench(One.Note.self, schema: schema)
    #expect(try bench.read(row).title == "t")
    #expect(try bench.read(try bench.bytes(One.Note(id: "2"))).id == "2")
  }
}
