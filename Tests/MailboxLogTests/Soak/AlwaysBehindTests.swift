import Foundation
import TestSupport
import Testing

@testable import MailboxLog

/// A drainer that is never done: one entry is pending whenever it looks, so that no segment is ever empty by chance.
@Suite struct AlwaysBehindTests {
  private static var appendCount: Int { ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == nil ? 25_000 : 10_000_000 }

  private func descriptorCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  @Test("Disk, segments and descriptors stay within bounds, and each entry is seen in its order", arguments: [false, true])
  func boundsHold(isEncrypted: Bool) throws {
    let bench = try APIBench(isEncrypted: isEncrypted)
    let writer = try bench.writer()
    let reader = try bench.reader()
    let payload = [UInt8](repeating: 7, count: 400)
    var next = 0
    var segmentCountMax = 0
    var byteCountMax: UInt64 = 0
    try writer.append(id: "0", payload: payload)
    let descriptors = try descriptorCount()
    for number in 1...Self.appendCount {
      try writer.append(id: "\(number)", payload: payload)
      var oldest: MailboxPosition?
      try reader.forEachPending(limit: 1) { entry in
        expectTrue(entry.id == "\(next)")
        oldest = entry.position
      }
      try reader.acknowledge([#require(oldest)])
      next += 1
      guard number % 1_000 == 0 else { continue }
      let sizes = bench.segmentNames.compactMap { name in
        try? FileManager.default.attributesOfItem(atPath: bench.directory + "/" + name)[.size] as? UInt64
      }
      segmentCountMax = max(segmentCountMax, sizes.count)
      byteCountMax = max(byteCountMax, sizes.reduce(0, +))
    }
    #expect(try reader.pendingCount == 1)
    #expect(segmentCountMax <= 2)
    #expect(byteCountMax <= 17 << 20)
    #expect(try descriptorCount() <= descriptors + 2)
  }
}
