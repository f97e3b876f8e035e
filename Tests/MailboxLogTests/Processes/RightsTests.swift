import Foundation
import MailboxLog
import TestSupport
import Testing

/// Locks, forks, rights and modes.
@Suite(.serialized) struct RightsTests {
  @Test("B043: no lock is held when a call has returned", arguments: [[], ["--unsynced"], ["--unsynced", "--unmapped"]])
  func b043(options: [String]) throws {
    #expect(try MailboxUnderTest().run("locks", [], options).hasPrefix("ok "))
  }

  @Test("B046: forks and spawned children disturb nobody", arguments: [[], ["--unsynced"], ["--unmapped"]])
  func b046(options: [String]) throws {
    let mailbox = MailboxUnderTest()
    #expect(try mailbox.run("forks", [], options).hasPrefix("ok"))
    let use = NonceUse(ledger: mailbox.noncePath)
    #expect(use.repeated == 0 && use.count >= 5)
  }

  @Test(
    "B046: a parent killed in the middle of an append holds no lock through its child", arguments: ["fork", "spawn"],
    [[], ["--unsynced"], ["--unmapped"]])
  func b046KilledParent(kind: String, options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let parent = try mailbox.start("fork-hold", [kind], options)
    let outcome = parent.wait()
    #expect(outcome.signal == SIGKILL)
    let child = try #require(outcome.output.split(separator: "\n").first.flatMap { Int32($0.dropFirst(6)) })
    defer { kill(child, SIGKILL) }
    #expect(kill(child, 0) == 0)
    #expect(try ChildProcess("/usr/bin/flock", ["-n", mailbox.path + "/00000001.segment", "true"]).wait().isSuccess)
    // The segment goes on where the dead parent left it.
    let output = try mailbox.run("append", ["after", "3"])
    #expect(kill(child, 0) == 0)
    var acknowledged = Acknowledged()
    acknowledged.add(output)
    try mailbox.check(acknowledged)
  }

  @Test("B069: without rights a mailbox can be read, and everything else is an error that leaves no trace")
  func b069() throws {
    let mailbox = MailboxUnderTest(isEncrypted: false)
    try mailbox.run("append", ["m", "3"])
    let own = mailbox.place.path(of: "own")
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    let modes: [(String, mode_t)] = [
      (mailbox.place.path, 0o755), (own, 0o777), (mailbox.path + "/00000001.segment", 0o444), (mailbox.path, 0o555),
    ]
    for (path, mode) in modes { #expect(unsafe path.withCString { unsafe chmod($0, mode) } == 0) }
    let names = mailbox.place.names
    // The worker may lie where a user without rights doesn't get; started with them, it gives them up.
    #expect(try mailbox.run("rights", [own + "/o.mailbox"]) == "ok\n")
    #expect(mailbox.place.names.filter { !$0.hasPrefix("own/") } == names)
    _ = unsafe mailbox.path.withCString { unsafe chmod($0, 0o700) }
    _ = unsafe (mailbox.path + "/00000001.segment").withCString { unsafe chmod($0, 0o600) }
    try mailbox.run("append", ["n", "1"])
    #expect(try mailbox.reader().pendingCount == 4)
  }

  @Test(
    "B072: every file that is ever made has the mode that was asked for, under any umask",
    arguments: ["0", "022", "077"], [[], ["--group"]])
  func b072(mask: String, options: [String]) throws {
    let mailbox = MailboxUnderTest()
    let trace = mailbox.place.path(of: "trace")
    let outcome = try mailbox.start("modes", [mask], options + ["--unsynced", "--modes-to", trace]).wait()
    #expect(outcome.isSuccess, "\(outcome.errorOutput)")
    let lines = String(decoding: mailbox.place.contents("trace") ?? [], as: UTF8.self).split(separator: "\n")
    let (file, directory) = options.isEmpty ? ("600", "700") : ("660", "2770")
    // A new file may have fewer rights than it gets with its name, never more.
    let allowed = ["N \(file) ", "N 600 ", "N 640 ", "F \(file) ", "D \(directory) "]
    let wrong = lines.filter { line in !allowed.contains { line.hasPrefix($0) } }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    for kind in ["N", "F", "D"] { #expect(lines.count { $0.hasPrefix(kind) } >= 10) }
    // And what is there now, by looking: no name came about in another way.
    let made = Set(lines.filter { $0.hasPrefix("F") }.compactMap { $0.split(separator: "/").last })
    let names = mailbox.place.names.filter { $0.hasPrefix("inbox.mailbox/") }.compactMap { $0.split(separator: "/").last }
    #expect(!names.isEmpty && names.allSatisfy { made.contains($0) })
  }
}
