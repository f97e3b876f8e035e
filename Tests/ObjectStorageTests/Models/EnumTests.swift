import FoundationEssentials
import RawMemory
import Testing

@testable import ObjectStorage

private struct Now: StorageObject {
  static let storageName = "Letter"
  @Persisted var status: Status = .sent
  @Persisted var before: Status?
  @Persisted var text = ""
  @Persisted var all: MutableSet<Status> = []
}
private struct Later: StorageObject {
  static let storageName = "Letter"
  @Persisted var status: LaterStatus = .sent
  @Persisted var before: LaterStatus?
  @Persisted var text = ""
  @Persisted var all: MutableSet<LaterStatus> = []
}

/// A raw value that this build doesn't know.
@Suite struct EnumTests {
  @Test func itReadsAsTheDefaultAndStays() throws {
    let later = try RowBench(Later.self)
    let now = try RowBench(Now.self, schema: later.schema)
    var written = Later()
    written.status = .recalled
    written.before = .recalled
    written.all = [.recalled, .read]
    let row = try later.bytes(written)

    var read = try now.read(row)
    #expect(read.status == .sent && read.before == nil)
    #expect(read.$status.hasUnknownRawValue && read.$before.hasUnknownRawValue && !read.$text.hasUnknownRawValue)
    #expect(Array(read.all) == [.read])

    // Saved whole, or over its row: what wasn't assigned is still there.
    read.text = "x"
    for bytes in [try now.bytes(read), try now.patched(row, with: read)] {
      let again = try later.read(bytes)
      #expect(again.status == .recalled && again.before == .recalled && again.text == "x")
    }
    read.status = .read
    #expect(!read.$status.hasUnknownRawValue)
    let again = try later.read(try now.patched(row, with: read))
    #expect(again.status == .read && again.before == .recalled)
    #expect(Array(again.all).count == 2)
  }

  @Test func knownOnesAreKnown() throws {
    let read = try RowBench(Now.self).roundTrip(Now())
    #expect(!read.$status.hasUnknownRawValue && !read.$before.hasUnknownRawValue)
  }
}
