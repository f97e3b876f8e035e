import Foundation
import MailboxLog
import TestSupport
import Testing

/// Listing is streaming: the first line comes at once, and memory doesn't grow with the mailbox.
@Suite struct B100Tests {
  private static let recordCount = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == nil ? 50_000 : 200_000

  @Test func manyRecords() throws {
    let mailbox = try TestMailbox(durability: .processCrash) { writer in
      for start in stride(from: 0, to: Self.recordCount, by: 1000) {
        try writer.appendBatch { batch in
          for index in start..<start + 1000 { batch.append(id: "id-\(index)", payload: [0x78, 0x79, 0x7A]) }
        }
      }
    }
    for verb in ["ls", "dump", "verify", "tail"] {
      let started = ContinuousClock.now
      let process = try ChildProcess("kvtool", [verb, mailbox.path])
      if verb == "ls" || verb == "dump" {
        #expect(process.waitForOutput("\n"))
        #expect(ContinuousClock.now - started < .milliseconds(300), "\(verb): the first line")
      }
      var peak = 0
      while let sample = residentPeak(process.identifier) {
        peak = max(peak, sample)
        usleep(2000)
      }
      let outcome = process.wait()
      #expect(outcome.code == 0)
      if verb == "ls" || verb == "dump" { #expect(outcome.standardOutput.count { $0 == 0x0A } == Self.recordCount) }
      #expect(peak > 0 && peak <= 24 * 1024, "\(verb): \(peak) KiB")
    }
  }

  /// In KiB, as the kernel tells it; nil once the process has ended.
  private func residentPeak(_ identifier: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return nil }
    return status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }.flatMap { Int($0.filter(\.isNumber)) }
  }
}
