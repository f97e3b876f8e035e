import CSystem
import Foundation
import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// What isn't a segment under a segment's name: it is reported, and holds up neither reader nor writer.
@Suite struct StrangeFileTests {
  enum Kind: CaseIterable { case directory, symlink, danglingLink, fifo, text, shortText, zeroHeader, otherMagic }

  private let place = TemporaryDirectory()
  private var directory: String { place.path(of: "m.mailbox") }

  private func make(_ kind: Kind) throws {
    let name = "m.mailbox/00000001.segment"
    let path = place.path(of: name)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    switch kind {
    case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .symlink:
      place.write([UInt8](repeating: 65, count: 20_000), to: "target")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place.path(of: "target"))
    case .danglingLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place.path(of: "nowhere"))
    case .fifo: #expect(unsafe mkfifo(path, 0o600) == 0)
    case .text: place.write([UInt8](repeating: 65, count: 20_000), to: name)
    case .shortText: place.write(Array("hello".utf8), to: name)
    case .zeroHeader: place.write([UInt8](repeating: 0, count: 9000) + [1], to: name)
    case .otherMagic: place.write(Array("ANTEROON".utf8) + [UInt8](repeating: 0, count: 20_000), to: name)
    }
  }

  private var options: LogOptions {
    var options = LogOptions()
    options.durability = .processCrash
    return options
  }

  @Test(.timeLimit(.minutes(1)), arguments: Kind.allCases) func isReportedAndPassedOver(kind: Kind) throws {
    try make(kind)
    let reader = try MailboxReader(directory: directory, options: options)
    #expect(try reader.forEachPending { _ in } == 0)
    #expect(try reader.damage().map(\.path) == [directory + "/00000001.segment"])
    let writer = try MailboxWriter(directory: directory, options: options)
    try writer.append(id: "a", payload: [1])
    #expect(try reader.pendingCount == 1)
    #expect(try writer.pendingCount == 1)
    #expect(try writer.contains(id: "a"))
    #expect(place.names.filter { $0.hasSuffix(".segment") }.count == 2)
  }

  @Test(.timeLimit(.minutes(1)), arguments: Kind.allCases) func failsWhereThatIsAskedFor(kind: Kind) throws {
    try make(kind)
    var options = options
    options.recovery = .fail
    #expect(throws: LogError.corrupted(offset: 0, reason: "")) { try MailboxReader(directory: directory, options: options) }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Kind.allCases) func readingOnly(kind: Kind) throws {
    try make(kind)
    var options = options
    options.access = .readOnly
    let reader = try MailboxReader(directory: directory, options: options)
    #expect(try reader.forEachPending { _ in } == 0)
    #expect(try reader.damage().count == 1)
    _ = try MailboxWriter(directory: directory, options: options)
  }

  @Test(.timeLimit(.minutes(1)), arguments: Kind.allCases) func inspectionSaysSo(kind: Kind) throws {
    try make(kind)
    let path = directory + "/00000001.segment"
    #expect(throws: kind == .danglingLink ? LogError.notALog(path: path) : .notALog(path: path)) {
      try SegmentInspection(path: path, key: nil)
    }
  }

  @Test("Zeros that no promise covers are removed and told of", arguments: [0, 1, 8192, 65_536])
  func zeros(byteCount: Int) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    place.write([UInt8](repeating: 0, count: byteCount), to: "m.mailbox/00000001.segment")
    let events = Told<LogEvent>()
    var options = options
    options.logHandler = { events.tell($0) }
    let reader = try MailboxReader(directory: directory, options: options)
    if byteCount == 0 || byteCount >= 8192 {
      #expect(try reader.damage().isEmpty)
      #expect(place.names == ["m.mailbox"])
      #expect(events.values.map(\.kind) == [.recovered])
    } else {
      #expect(try reader.damage().count == 1)
    }
  }
}
