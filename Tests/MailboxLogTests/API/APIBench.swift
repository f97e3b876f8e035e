import Foundation
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// A directory for one mailbox, and handles on it.
struct APIBench {
  let place = TemporaryDirectory()
  let system: DialCalls
  var options = LogOptions()

  init(isEncrypted: Bool = false, system: DialCalls = DialCalls()) throws {
    self.system = system
    if isEncrypted { options.key = try EncryptionKey([UInt8](repeating: 5, count: 32)) }
    options.durability = .processCrash
  }

  var directory: String { place.path(of: "m.mailbox") }
  var segmentNames: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter { $0.hasSuffix(".segment") }.sorted()
  }

  func writer(_ change: (inout LogOptions) -> Void = { _ in }) throws(LogError) -> MailboxWriter {
    var options = options
    change(&options)
    return try MailboxWriter(directory: directory, options: options, system: system)
  }
  func reader(_ change: (inout LogOptions) -> Void = { _ in }) throws(LogError) -> MailboxReader {
    var options = options
    change(&options)
    return try MailboxReader(directory: directory, options: options, system: system)
  }

  /// Bytes, modes and times of everything below the directory.
  func state() throws -> [String: [String]] {
    var result: [String: [String]] = [:]
    for name in place.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path(of: name))
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      result[name] = [
        "\(attributes[.modificationDate] ?? "")", "\(attributes[.posixPermissions] ?? "")",
        "\(attributes[.systemFileNumber] ?? "")",
        isFile ? "\(place.contents(name) ?? [])" : "",
      ]
    }
    return result
  }

  func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectWholeMailbox(directory, key: options.key, sourceLocation: sourceLocation)
  }
}

extension MailboxReader {
  /// Ids of what waits, in order.
  func ids(limit: Int = .max, byteCountMax: Int = .max) throws(LogError) -> [String] {
    var ids: [String] = []
    try forEachPending(limit: limit, byteCountMax: byteCountMax) { ids.append($0.id) }
    return ids
  }
  func positions() throws(LogError) -> [MailboxPosition] {
    var positions: [MailboxPosition] = []
    try forEachPending { positions.append($0.position) }
    return positions
  }
}

/// As `#expect`, for what throws and reads an entry: the macro takes neither together with a value that can't be copied.
func expectTrue(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}
