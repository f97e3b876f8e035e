import Anteroom
import AnteroomTesting
import Foundation
import Testing

/// The measurement sees what is taken, and lets go what isn't.
@Suite struct FootprintTests {
  private static let mebibyte = 1 << 20

  /// Memory of its own, touched, and gone.
  private func take(_ byteCount: Int) {
    let bytes = [UInt8](repeating: 1, count: byteCount)
    withExtendedLifetime(bytes) {}
  }

  @Test func seesAPeakThatIsGone() throws {
    take(Self.mebibyte)
    let taken = try footprint { take(40 * Self.mebibyte) }
    #expect(taken.peakByteCount >= 39 * Self.mebibyte)
    #expect(taken.peakByteCount < 60 * Self.mebibyte)
    #expect(taken.keptByteCount < 8 * Self.mebibyte)
  }

  @Test func failsAboveTheLimit() async throws {
    let error = #expect(throws: FootprintError.self) { try assertFootprint(below: 20 * Self.mebibyte) { take(40 * Self.mebibyte) } }
    guard case .exceeded(let peak, let limit) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(peak > limit && limit == 20 * Self.mebibyte)
    try assertFootprint(below: 20 * Self.mebibyte) { take(Self.mebibyte) }
    await #expect(throws: FootprintError.self) {
      try await assertFootprint(below: 20 * Self.mebibyte) {
        await Task.yield()
        take(40 * Self.mebibyte)
      }
    }
  }

  @Test("A delivery into a mailbox with a thousand messages is far below what an extension may take")
  func delivery() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mailbox")
    defer { try? FileManager.default.removeItem(at: directory) }
    let options = LogOptions(key: .random())
    func deliver(_ id: String) throws {
      let outbox = try MailboxWriter(directory: directory, options: options)
      try outbox.append(id: id) { $0.set("text", "hello") }
      outbox.close()
    }
    for number in 0..<1_000 { try deliver("\(number)") }
    try assertFootprint(below: Self.mebibyte) { try deliver("last") }
  }
}
