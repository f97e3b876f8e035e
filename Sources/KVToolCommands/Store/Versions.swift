import ObjectStorage
import StorageEngine
import StorageIO

/// `versions`: what the file holds beside the newest version, and who keeps it.
enum Versions {
  static let command = Command(
    name: "versions", summary: "print the versions of a store: the newest, those before it, and those that readers pin",
    operands: [.store], formats: [.text, .json, .jsonl], keyUse: .whenEncrypted,
    details: """
      One line for each, the newest first: version, time of its commit, who pins it. Of a version that only readers still have, the time
      isn't known any more.
      """,
    subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    try StoreFile.read(invocation) { store in
      let stored = try store.engine.storedVersions()
      let holders = try Readers.holders(invocation, store.engine.fileID).filter { $0.state != .dead }
      let versions = Set(stored.map(\.id) + holders.compactMap(\.version)).sorted(by: >)
      let lines = Lines(invocation)
      try lines.begin()
      for version in versions {
        let own = stored.first { $0.id == version }
        let pins = holders.filter { $0.version == version }.map(\.process).sorted()
        try lines.line([
          .init("version", number: version),
          .init("committed", own.map { TimestampText.text(microseconds: $0.commitTime) } ?? "unknown"),
          .init("isNewest", flag: version == stored.first?.id), .init("pinnedBy", pins.map { "\($0)" }.joined(separator: " ")),
        ])
      }
      try lines.end()
      return .success
    }
  }
}

/// `readers`: who has the store open.
enum Readers {
  static let command = Command(
    name: "readers", summary: "print the processes that have a store open, and which versions they read", operands: [.store],
    formats: [.text, .json, .jsonl],
    details: """
      One line for each slot of the lock file: process, version, for how long it has been read, and whether the process lives. A process
      that has the store open and reads nothing has no version. Needs no key.
      """,
    subject: .store, handler: run)

  static func run(_ invocation: Invocation) throws -> ExitCode {
    let inspection = try StoreInspection(invocation.system, path: invocation.path)
    let lines = Lines(invocation)
    let now = invocation.system.monotonicNanoseconds()
    try lines.begin()
    for holder in try holders(invocation, inspection.fileID) {
      let milliseconds = now > holder.since ? (now - holder.since) / 1_000_000 : 0
      var cells: [Lines.Cell] = [.init("process", number: UInt64(max(0, holder.process)))]
      if let version = holder.version {
        cells += [.init("version", number: version), .init("age", "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s")]
      } else {
        cells += [.init("version", "none"), .init("age", "")]
      }
      try lines.line(cells + [.init("state", holder.state.rawValue)])
    }
    try lines.end()
    return .success
  }

  static func holders(_ invocation: Invocation, _ fileID: [UInt8]) throws -> [LockInspection.Holder] {
    try LockInspection.read(invocation.system, path: invocation.path + ".lock", fileID: fileID)?.holders ?? []
  }
}

/// A list of facts, a line each: cells with tabs between, or objects of JSON.
final class Lines {
  struct Cell {
    enum Value {
      case text(String)
      case number(UInt64)
      case flag(Bool)
    }
    let name: String
    let value: Value

    init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }
    init(_ name: String, number: UInt64) { (self.name, value) = (name, .number(number)) }
    init(_ name: String, flag: Bool) { (self.name, value) = (name, .flag(flag)) }
  }
  private let output: Output
  private let format: OutputFormat
  private var isFirst = true

  init(_ invocation: Invocation) {
    output = invocation.output
    format = invocation.format
  }

  func begin() throws { if format == .json { try output.write("[") } }
  func end() throws { if format == .json { try output.line(isFirst ? "]" : "\n]") } }

  func line(_ cells: [Cell]) throws {
    defer { isFirst = false }
    if format == .text { return try output.line(cells.map(Self.text).filter { !$0.isEmpty }.joined(separator: "\t")) }
    if format == .json { try output.write(isFirst ? "\n" : ",\n") }
    for (index, cell) in cells.enumerated() {
      try output.write(index == 0 ? "{" : ",")
      try output.write(json: cell.name)
      try output.write(":")
      switch cell.value {
      case .text(let text): try output.write(json: text)
      case .number(let number): try output.write(json: number)
      case .flag(let flag): try output.write(flag ? "true" : "false")
      }
    }
    try output.write("}")
    if format == .jsonl { try output.endLine() }
  }

  /// The name stands with it, except for a flag, which is named when it holds.
  private static func text(_ cell: Cell) -> String {
    switch cell.value {
    case .text(let text): text.isEmpty ? "" : "\(FactPrinter.words(cell.name)) \(printable(text))"
    case .number(let number): "\(FactPrinter.words(cell.name)) \(number)"
    case .flag(let flag): flag ? String(FactPrinter.words(cell.name).dropFirst(3)) : ""
    }
  }
}
