import Foundation
import MailboxLog
import TestSupport
import Testing

@Suite(.serialized) struct NonceTests {
  @Test("B019: one id and one value ten thousand times: no nonce and no block of ciphertext comes twice")
  func b019() throws {
    let mailbox = MailboxUnderTest()
    let options = ["--unsynced", "--fixed-id", "--size", "64", "--reopen", "500"]
    let writers = try (0..<2).map { _ in try mailbox.start("append", ["same", "5000"], options) }
    var positions: Set<Substring> = []
    for writer in writers {
      let outcome = writer.wait(timeout: .seconds(120))
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
      for line in outcome.output.split(separator: "\n") where line.hasPrefix("same ") { positions.insert(line.dropFirst(5)) }
    }
    #expect(positions.count == 10_000)
    let use = NonceUse(ledger: mailbox.noncePath)
    #expect(use.count == 10_000 && use.repeated == 0)

    var blocks: Set<ArraySlice<UInt8>> = []
    var blockCount = 0
    var recordCount = 0
    for name in mailbox.place.names where name.hasSuffix(".segment") {
      for body in Self.bodies(mailbox.place.contents(name) ?? []) {
        recordCount += 1
        for start in stride(from: body.startIndex, through: body.endIndex - 16, by: 16) {
          blocks.insert(body[start..<start + 16])
          blockCount += 1
        }
      }
    }
    #expect(recordCount == 10_000)
    #expect(blocks.count == blockCount && blockCount == 4 * 10_000)
  }

  /// Ids and values as they are in a segment, sealed, one after the other.
  static func bodies(_ segment: [UInt8]) -> [ArraySlice<UInt8>] {
    func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(segment[offset + $1]) << (8 * $1) } }
    var result: [ArraySlice<UInt8>] = []
    var offset = 8192
    while offset + 120 <= segment.count, number(offset + 4) != 0 {
      result.append(segment[offset + 120..<offset + 120 + number(offset + 28) + number(offset + 32)])
      offset += number(offset + 4)
    }
    return result
  }
}
