import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// Who has nothing but the article reads of the golden files what this build reads.
@Suite(.enabled(if: FormatReader.isThere, "python3 isn't there")) struct GoldenReaderTests {
  @Test(arguments: GoldenSegment.allCases) func segments(file: GoldenSegment) throws {
    let found = try FormatReader.read(GoldenBench.url(file.name).path, file.readerArguments)
    #expect(found.exitCode == file.readerExitCode)
    #expect(found.rows.map { "\($0["id"] ?? "") \($0["value"] ?? "")" } == file.entries)
  }

  @Test(arguments: GoldenLog.allCases) func logs(file: GoldenLog) throws {
    let found = try FormatReader.read(GoldenBench.url(file.name).path, file.readerArguments)
    let expected: Int32 =
      switch file {
      case .header: 1
      case .torn, .corrupt: 2
      default: 0
      }
    #expect(found.exitCode == expected)
    var entries: [String: String] = [:]
    for row in found.rows {
      let type = try #require(row["type"] as? String)
      let value: String =
        switch type {
        case "bool": "\(row["value"] as? Bool ?? false)"
        case "double", "date": "\(row["value"] as? Double ?? .nan)"
        default: "\(row["value"] ?? "")"
        }
      entries[try #require(row["key"] as? String)] = "\(type) \(value)"
    }
    #expect(entries == file.entries)
  }

  @Test("A key that isn't the file's, or none, opens nothing") func keys() throws {
    let files =
      GoldenSegment.allCases.map { (name: $0.name, arguments: $0.readerArguments) }
      + GoldenLog.allCases.map { (name: $0.name, arguments: $0.readerArguments) }
    for file in files where !file.arguments.isEmpty {
      for arguments in [[], [file.arguments[0], hexadecimal([UInt8](repeating: 1, count: 32))]] {
        let found = try FormatReader.read(GoldenBench.url(file.name).path, arguments)
        #expect(found.rows.isEmpty && found.exitCode == 1, "\(file.name)")
      }
    }
  }
}
