import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import KVToolCommands
@testable import StorageEngine

/// B008: meta pages are valid, and a page of the tree leads back to itself.
@Suite struct B008Tests {
  @Test func aCycleOfPagesIsFoundAndEnds() async throws {
    let store = try await TestStore(count: 6_000)
    var bytes = try store.bytes()
    let inspection = try StoreInspection(.live, path: store.path)
    let pageByteCount = inspection.pageByteCount
    let first = Int(PageGeometry(pageByteCount: pageByteCount, isSealed: false).firstPage)
    var changed: [Int] = []
    for number in first..<bytes.count / pageByteCount {
      let page = number * pageByteCount
      let body = page + PageLayout.plainEnvelopeByteCount
      guard bytes[body + PageLayout.kind] == PageKind.branch.rawValue else { continue }
      changed.append(number)
      // The first child is the page itself.
      let slot = body + PageLayout.slots + PageLayout.slotOffset
      let child = body + Int(bytes[slot]) + Int(bytes[slot + 1]) << 8
      for index in 0..<4 { bytes[child + PageLayout.childPage + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
      for index in 0..<8 { bytes[child + PageLayout.childBirth + index] = bytes[body + PageLayout.birth + index] }
      let seed = Checksum.crc32(of: UInt64(number), seed: Checksum.crc32(inspection.fileID.span.raw))
      let content = Array(bytes[body..<page + pageByteCount])
      let checksum = Checksum.crc32(content.span.raw, seed: seed)
      for index in 0..<4 { bytes[page + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
    }
    #expect(!changed.isEmpty)
    try store.replace(bytes)

    let start = ContinuousClock.now
    let run = try ToolProcess.run("verify", store.path)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(run.code == 1, "\(run.errorOutput)")
    #expect(changed.contains { run.output.contains("page \($0) ") }, "\(run.output)")
    for (verb, arguments) in [("query", ["Letter", "text.contains(\"9\")"]), ("stat", []), ("count", ["Letter", "text == \"\""])] {
      #expect(try ToolProcess.run([verb, store.path] + arguments).code == 65, "\(verb)")
    }
    #expect(try ToolProcess.run("dump", store.path).code == 2)
  }

  /// A page that an older version had, put back: it isn't the one that the tree expects, and nobody reused it meanwhile.
  @Test func anOlderPageIsDamage() async throws {
    let store = try await TestStore(count: 3_000)
    var bytes = try store.bytes()
    let pageByteCount = try StoreInspection(.live, path: store.path).pageByteCount
    let pattern = Array("text 1500".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
    let page = place / pageByteCount * pageByteCount
    // Its birth is an earlier one.
    bytes[page + PageLayout.plainEnvelopeByteCount + PageLayout.birth] ^= 1
    try store.replace(bytes)
    let run = try ToolProcess.run("verify", store.path)
    #expect(run.code == 1 && run.output.contains("page \(page / pageByteCount)"), "\(run.output) \(run.errorOutput)")
    #expect(try ToolProcess.run("get", store.path, "Letter", "l1500").code == 65)
  }
}
