import Foundation
import MailboxLog
import TestSupport
import Testing

/// Several processes and threads on one mailbox.
@Suite(.serialized) struct TogetherTests {
  @Test(
    "B102: two helpers that put one message at the same moment are two entries at two positions", arguments: [["--unsynced"], []])
  func b102(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let pace = options.isEmpty ? 4000 : 1000
    let begin = Int(Date().timeIntervalSince1970 * 1e6) + 400_000
    let helpers = try (0..<2).map { _ in
      try mailbox.start("append", ["m", "500"], options + ["--at", "\(begin)", "--pace", "\(pace)"])
    }
    var positions: [Substring: Set<Substring>] = [:]
    for helper in helpers {
      let outcome = helper.wait()
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
      for line in outcome.output.split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ")
        positions[words[0], default: []].insert(words[1])
      }
    }
    #expect(positions.count == 500 && positions.values.allSatisfy { $0.count == 2 })
    #expect(Set(positions.values.joined()).count == 1000)
    var found: [Substring: Set<Substring>] = [:]
    try mailbox.reader().forEachPending { entry in
      found[Substring(entry.id), default: []].insert(Substring(ProcessHandles.text(entry.position)))
    }
    #expect(found == positions)
    #expect(NonceUse(ledger: mailbox.noncePath).repeated == 0)
  }

  @Test("Four processes of two threads, with forks in the middle, lose nothing", arguments: [["--unsynced"], ["--unmapped"], []])
  func storm(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let count = (MailboxUnderTest.isLong ? 20 : 1) * (options.isEmpty ? 100 : 400)
    let drainers = try (0..<2).map { _ in try mailbox.start("drain", [mailbox.drainedPath]) }
    let writers = try (0..<4).map { try mailbox.start("storm", ["p\($0)", "\(count)"], options + ($0 < 2 ? ["--fork"] : [])) }
    var acknowledged = Acknowledged()
    for writer in writers {
      let outcome = writer.wait(timeout: .seconds(300))
      #expect(outcome.isSuccess, "\(outcome.errorOutput)")
      acknowledged.add(outcome.output)
    }
    for drainer in drainers {
      drainer.kill()
      #expect(drainer.wait().signal == SIGKILL)
    }
    #expect(acknowledged.positions.count { $0.key.hasPrefix("p") } == 8 * count)
    #expect(Set(acknowledged.positions.values).count == acknowledged.positions.count)
    try mailbox.check(acknowledged, hasOneDrainer: false)
  }

  @Test("A suspension in the middle of anything leaves no lock and no mapping", arguments: [["--unsynced"], [], ["--unmapped"]])
  func suspensions(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    #expect(try mailbox.run("suspend", [MailboxUnderTest.isLong ? "3000" : "100"], options).hasPrefix("ok "))
    #expect(NonceUse(ledger: mailbox.noncePath).repeated == 0)
  }

  @Test("Nobody sees damage while another process acknowledges", arguments: [[], ["--unmapped"]])
  func noDamageMeanwhile(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    var acknowledged = Acknowledged()
    acknowledged.add(try mailbox.run("append", ["m", "2000"], ["--unsynced", "--batch", "100", "--size", "20"]))
    let drainer = try mailbox.start("drain", [mailbox.drainedPath], options + ["--limit", "1"])
    let reader = try mailbox.reader()
    var left = 2000
    var looks = 0
    while left > 1000 {
      let damage = try reader.damage()
      #expect(damage.isEmpty, "\(damage)")
      if !damage.isEmpty { break }
      left = try reader.forEachPending { _ in }
      looks += 1
    }
    #expect(looks > 20)
    drainer.kill()
    drainer.wait()
    try mailbox.check(acknowledged)
  }
}
