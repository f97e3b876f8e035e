import Foundation
import TestSupport
import Testing

/// What a fresh process pays for an encrypted store that is far larger than its cache: anonymous memory above the same process that opens
/// none. What it has of libraries and programs is the system's, which shares it and takes it back.
@Suite(.serialized) struct EncryptedMemoryTests {
  static let isLong = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"
  static let cacheByteCount = 1 << 20

  /// What the worker says of itself, in KiB.
  private struct Measured {
    let peakWhenOpen: Int
    let peak: Int
    let anonymous: Int
    let seen: Int
    /// The most that can have been anonymous at any time: of files there only comes more.
    let anonymousPeak: Int

    init(_ what: String, _ path: String, cacheByteCount: Int = EncryptedMemoryTests.cacheByteCount) throws {
      let words = try EncryptedMemoryTests.run(["measure", what, path, "\(cacheByteCount)"]).split(separator: " ")
      let numbers = words.compactMap { Int($0) }
      try #require(numbers.count == 7)
      (peakWhenOpen, peak, anonymous, seen) = (numbers[2], numbers[3], numbers[4], numbers[6])
      anonymousPeak = numbers[3] - numbers[5]
    }
  }

  private static func run(_ arguments: [String]) throws -> String {
    let outcome = try ChildProcess("storage-worker", ["objects"] + arguments).wait(timeout: isLong ? .seconds(1800) : .seconds(120))
    try #require(outcome.isSuccess, "\(outcome.output)\(outcome.errorOutput)")
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("B029: one version of a 64 MiB store is read twice through a cache of 1 MiB, within 3 MiB")
  func b029() throws {
    let directory = TemporaryDirectory()
    let path = directory.path(of: "b029.store")
    // By turns in the pages of the tree and in pages of their own.
    let sum = try #require(Int(try Self.run(["make", path, "22000", "800", "2000"])))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size >= 64 << 20, "\(size) bytes")
    let scan = try Measured("scan", path)
    #expect(scan.seen == 2 * sum)
    #expect(scan.peak - scan.peakWhenOpen <= 3 << 10, "\(scan.peak - scan.peakWhenOpen) KiB")
    // A budget holds, whatever it is: the keys of all rows alone would be more than the rest of it.
    let idle = try Measured("idle", path)
    for cacheByteCount in [256 << 10, 1 << 20, 4 << 20] {
      let scan = try Measured("count", path, cacheByteCount: cacheByteCount)
      #expect(scan.seen == 22_000)
      let above = scan.anonymousPeak - idle.anonymous
      #expect(above <= (cacheByteCount >> 10) + (1 << 10), "\(above) KiB with a cache of \(cacheByteCount >> 10) KiB")
    }
  }

  @Test("Opening and one durable save within 2 MiB, reading every row within 3 MiB, however many there are")
  func freshProcess() throws {
    let directory = TemporaryDirectory()
    let path = directory.path(of: "messages.store")
    let rowCount = Self.isLong ? 1_000_000 : 40_000
    let sum = try #require(Int(try Self.run(["make", path, "\(rowCount)", "200", "200"])))
    let idle = try (0..<3).map { _ in try Measured("idle", path).anonymous }.min()!
    func above(_ what: String, _ seen: Int, within limit: Int) throws {
      let measured = try Measured(what, path)
      #expect(measured.seen == seen, "\(what)")
      #expect(measured.anonymousPeak - idle <= limit, "\(what): \(measured.anonymousPeak - idle) KiB")
      if Self.isLong { print("\(rowCount) rows, \(what): \(measured.anonymousPeak - idle) KiB above an empty process") }
    }
    let readCount = (rowCount + 2) / 3
    try above("scan", 2 * sum, within: 3 << 10)
    // What looks at every row keeps none.
    try above("count", rowCount, within: 3 << 10)
    try above("max", 200, within: 3 << 10)
    try above("map", readCount, within: (3 << 10) + (rowCount >> 9))
    try above("open", 0, within: 2 << 10)
    try above("save", 1, within: 2 << 10)
  }
}
