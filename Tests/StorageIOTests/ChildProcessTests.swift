import CSystem
import Foundation
import RawMemory
import TestSupport
import Testing

@testable import StorageIO

/// The other test helpers.
@Suite struct ChildProcessTests {
  @Test func whatAChildPrintsAndReturns() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "cat; echo $NAME >&2; exit 3"], input: "hello", environment: ["NAME": "Ada"])
    let outcome = child.wait()
    #expect(outcome.output == "hello" && outcome.errorOutput == "Ada\n")
    #expect(outcome.exitCode == 3 && outcome.signal == nil && !outcome.hasTimedOut)
  }

  @Test func muchInputAndOutput() throws {
    let text = String(repeating: "0123456789abcdef", count: 40_000)
    #expect(try ChildProcess("/bin/cat", input: text).wait().output == text)
  }

  @Test func aChildIsTalkedToAndKilled() throws {
    let child = try ChildProcess("/bin/cat", input: nil)
    child.write("one\n")
    #expect(child.waitForOutput("one\n"))
    #expect(!child.waitForOutput("two", timeout: .milliseconds(20)))
    child.kill()
    #expect(child.wait().signal == SIGKILL)
    child.write("into nowhere")
  }

  @Test func aLateChildIsKilled() throws {
    let outcome = try ChildProcess("/bin/sleep", ["60"]).wait(timeout: .milliseconds(50))
    #expect(outcome.hasTimedOut && outcome.signal == SIGKILL)
  }

  @Test func executablesOfThePackageAreFound() throws {
    #expect(throws: ChildProcess.Failure.self) { try ChildProcess("no-such-executable") }
    #expect(throws: ChildProcess.Failure.self) { try ChildProcess("/no/such/executable") }
    #expect(BuiltExecutable.path("mailbox-worker") != nil)
  }

  @Test func realCallsAreCountedAndFail() throws {
    let place = TemporaryDirectory()
    let calls = CountingCalls()
    let file = try StorageFile(calls, path: place.path(of: "f"), flags: O_RDWR | O_CREAT)
    let buffer = ByteBuffer(count: 100)
    try file.write(buffer, 0..<100, at: 0)
    calls.fail(.synchronizeData, at: 2, with: EIO)
    try file.synchronizeData()
    #expect(throws: SystemError.self) { try file.synchronizeData() }
    try file.synchronizeData()
    #expect(calls.callCount(.synchronizeData) == 3 && calls.bytesWritten == 100)
    #expect(calls.totalCallCount == 5)
    place.write([], to: ".tmp-1")
    #expect(litter(in: place.path) == [".tmp-1"])
  }
}
