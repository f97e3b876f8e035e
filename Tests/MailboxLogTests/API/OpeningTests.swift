import CSystem
import Foundation
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// What opening says of a wrong key, a missing or a strange file; and that it changes none of them.
@Suite struct OpeningTests {
  private func expectRefused(
    _ bench: APIBench, _ error: LogError, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (inout LogOptions) -> Void
  ) throws {
    for access in [LogAccess.readWrite, .readOnly] {
      let before = try bench.state()
      func both(_ options: inout LogOptions) {
        change(&options)
        options.access = access
      }
      #expect(throws: error, sourceLocation: sourceLocation) { try bench.writer(both) }
      #expect(throws: error, sourceLocation: sourceLocation) { try bench.reader(both) }
      #expect(try bench.state() == before, sourceLocation: sourceLocation)
    }
  }

  @Test func keysThatDoNotFit() throws {
    let wrong = try EncryptionKey([UInt8](repeating: 6, count: 32))
    let sealed = try APIBench(isEncrypted: true)
    try sealed.writer().append(id: "a", payload: [1])
    try expectRefused(sealed, .wrongKey) { $0.key = wrong }
    try expectRefused(sealed, .keyRequired) { $0.key = nil }
    let plain = try APIBench()
    try plain.writer().append(id: "a", payload: [1])
    try expectRefused(plain, .keyNotExpected) { $0.key = wrong }
    // 64 bytes that begin with the right 32 are another key.
    let longer = try EncryptionKey([UInt8](repeating: 5, count: 64))
    try expectRefused(sealed, .wrongKey) { $0.key = longer }
  }

  @Test func keysHave32Or64Bytes() throws {
    for count in 0...70 where count != 32 && count != 64 {
      #expect(throws: LogError.invalidKeyLength(actual: count)) { try EncryptionKey([UInt8](repeating: 1, count: count)) }
    }
    let bytes = (0..<64).map { UInt8($0) }
    #expect(try EncryptionKey(bytes).withBytes { span in (0..<span.count).map { span[$0] } } == bytes)
    var seen: Set<[UInt8]> = []
    for _ in 0..<20 { seen.insert(try EncryptionKey.random().withBytes { span in (0..<span.count).map { span[$0] } }) }
    #expect(seen.count == 20 && seen.allSatisfy { $0.count == 32 })
  }

  @Test func missing() throws {
    let bench = try APIBench()
    let path = bench.directory
    try expectRefused(bench, .notFound(path: path)) { $0.createIfMissing = false }
    #expect(throws: LogError.notFound(path: path)) { try bench.reader { $0.access = .readOnly } }
    #expect(throws: LogError.notFound(path: path)) { try bench.writer { $0.access = .readOnly } }
    #expect(bench.place.names == [])
    // A missing parent isn't made.
    let deep = bench.place.path(of: "no/m.mailbox")
    #expect(throws: LogError.notFound(path: deep)) { try MailboxWriter(directory: deep) }
    #expect(throws: LogError.notFound(path: deep)) { try MailboxReader(directory: deep) }
    #expect(bench.place.names == [])
  }

  @Test func madeWhenMissing() throws {
    for permissions in [LogPermissions.owner, .group] {
      for opensReader in [true, false] {
        let bench = try APIBench()
        if opensReader { _ = try bench.reader { $0.permissions = permissions } }
        let writer = try bench.writer { $0.permissions = permissions }
        #expect(bench.place.names == ["m.mailbox"])
        try writer.append(id: "a", payload: [])
        var status: FileStatus?
        #expect(SystemCalls.live.status(path: bench.directory, &status) == 0)
        #expect(status?.mode == (permissions == .owner ? 0o700 : 0o2770))
        #expect(SystemCalls.live.status(path: bench.directory + "/00000001.segment", &status) == 0)
        #expect(status?.mode == (permissions == .owner ? 0o600 : 0o660))
      }
    }
  }

  @Test func aFileInPlaceOfADirectory() throws {
    let bench = try APIBench()
    bench.place.write([1, 2, 3], to: "m.mailbox")
    try expectRefused(bench, .notALog(path: bench.directory)) { _ in }
    bench.place.write([], to: "m.mailbox")
    try expectRefused(bench, .notALog(path: bench.directory)) { $0.createIfMissing = false }
  }

  @Test func anEmptyMailbox() throws {
    let bench = try APIBench(isEncrypted: true)
    let (writer, reader) = (try bench.writer(), try bench.reader())
    #expect(try reader.ids() == [] && reader.pendingCount == 0 && reader.damage().isEmpty)
    #expect(try writer.pendingCount == 0 && !writer.contains(id: "a") && writer.backlog().oldestAge == nil)
    #expect(try reader.backlog().entryCount == 0 && reader.backlog().byteCount == 0 && reader.backlog().oldestAge == nil)
    try reader.acknowledge([])
    try writer.synchronize()
    #expect(try writer.appendBatch { _ in } == [])
    #expect(bench.segmentNames == [])
    // Other files in it are nobody's business.
    bench.place.write([1], to: "m.mailbox/notes.txt")
    bench.place.write([2], to: "m.mailbox/1.segment")
    try writer.append(id: "a", payload: [])
    #expect(try reader.ids() == ["a"] && reader.damage().isEmpty)
    #expect(bench.place.contents("m.mailbox/notes.txt") == [1])
  }

  @Test func readOnlyChangesNothing() throws {
    let bench = try APIBench(isEncrypted: true)
    let writer = try bench.writer()
    for i in 1...5 { try writer.append(id: "e\(i)", payload: [UInt8(i)]) }
    let own = try bench.reader()
    try own.acknowledge([try own.positions()[0]])
    bench.place.write([0], to: "m.mailbox/.tmp-0000000000000001")
    let before = try bench.state()
    let reader = try bench.reader { $0.access = .readOnly }
    let readOnlyWriter = try bench.writer { $0.access = .readOnly }
    #expect(try reader.ids() == ["e2", "e3", "e4", "e5"])
    #expect(try reader.pendingCount == 4 && readOnlyWriter.pendingCount == 4 && readOnlyWriter.contains(id: "e5"))
    #expect(try reader.damage().isEmpty && reader.backlog().entryCount == 4)
    let positions = try reader.positions()
    #expect(throws: LogError.readOnly) { try reader.acknowledge(positions) }
    #expect(throws: LogError.readOnly) { try reader.acknowledge([]) }
    #expect(throws: LogError.readOnly) { try readOnlyWriter.append(id: "x", payload: []) }
    #expect(throws: LogError.readOnly) { try readOnlyWriter.appendBatch { $0.append(id: "x", payload: []) } }
    #expect(try bench.state() == before)
    // It sees what is appended after it was opened.
    try writer.append(id: "e6", payload: [])
    #expect(try reader.ids().last == "e6")
  }

  @Test func closingAndSuspending() throws {
    let bench = try APIBench()
    let (writer, reader) = (try bench.writer(), try bench.reader())
    let position = try writer.append(id: "a", payload: [])
    func expectAll(_ error: LogError, sourceLocation: SourceLocation = #_sourceLocation) {
      let calls: [() throws -> Void] = [
        { _ = try writer.append(id: "b", payload: []) },
        { _ = try writer.append(id: "b") { $0.set("a", 1) } },
        { _ = try writer.appendBatch { $0.append(id: "b", payload: []) } },
        { _ = try writer.contains(id: "a") }, { _ = try writer.pendingCount },
        { _ = try writer.backlog() }, { try writer.synchronize() },
        { _ = try reader.forEachPending { _ in } },
        { try reader.acknowledge([position]) }, { try reader.acknowledge([]) },
        { _ = try reader.pendingCount }, { _ = try reader.backlog() },
        { _ = try reader.damage() },
      ]
      for (index, call) in calls.enumerated() {
        #expect(throws: error, "call \(index)", sourceLocation: sourceLocation) { try call() }
      }
    }
    for _ in 0..<2 {
      writer.suspend()
      reader.suspend()
      writer.suspend()
      reader.suspend()
      expectAll(.suspended)
      try writer.resume()
      try reader.resume()
      try writer.resume()
      try reader.resume()
      #expect(try reader.ids() == ["a"] && writer.contains(id: "a"))
    }
    writer.suspend()
    for _ in 0..<3 {
      writer.close()
      reader.close()
      expectAll(.closed)
      #expect(throws: LogError.closed) { try writer.resume() }
      #expect(throws: LogError.closed) { try reader.resume() }
      writer.suspend()
      reader.suspend()
    }
    try bench.expectWhole()
  }
}
