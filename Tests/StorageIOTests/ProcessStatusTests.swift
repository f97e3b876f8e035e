import CForkSupport
import CSystem
import Foundation
import TestSupport
import Testing

@testable import StorageIO

/// Which process is which, and whether it runs.
@Suite(.serialized) struct ProcessStatusTests {
  private func parse(_ text: String) -> ProcessStatus? { ProcessStatus(parsing: Array(text.utf8)) }
  private let rest = "1 2 3 4 5 6 7 8 9 10 11 12 13 14"

  @Test func fieldsOfTheKernelsFile() {
    #expect(parse("7 (a) S \(rest) 15 16 1 0 4711 9 9\n") == ProcessStatus(startTime: 4711, hasEnded: false))
    #expect(parse("7 (a) b) Z (c) Z \(rest) 15 16 1 0 4711 9\n") == ProcessStatus(startTime: 4711, hasEnded: true))
    // Its first thread ended, and others go on.
    #expect(parse("7 (a) Z \(rest) 15 16 2 0 4711\n")?.hasEnded == false)
    for text in ["", "7", "7 (a)", "7 (a) S 1 2", "7 (a) S \(rest) 15 16 1 0\n", "7 (a) S \(rest) 15 16 1 0 x\n"] {
      #expect(parse(text) == nil)
    }
    #expect(parse("7 (a) S \(rest) 15 16 1 0 99999999999999999999\n") == nil)
  }

  @Test func idsCountOnlyInTheirOwnNamespace() {
    func isOwn(_ line: String) -> Bool { ProcessStatus.isOfOwnNamespace(statusFile: Array("Name:\ta\n\(line)\nX:\n".utf8)) }
    #expect(isOwn("NSpid:\t7"))
    #expect(!isOwn("NSpid:\t4100\t7"))
    #expect(!isOwn("NSpid:"))
    #expect(!isOwn("Pid:\t7"))
  }

  @Test func thisProcess() throws {
    let system = SystemCalls.live
    #expect(system.processIdentity() == getpid())
    #expect(system.processLiveness(getpid()) == .alive)
    #expect(system.processNamespace() != 0)
    let start = try #require(system.processStartTime(getpid()))
    #expect(start > 0 && system.processStartTime(getpid()) == start)
    let image = try #require(system.processImage())
    #expect(image.count == 16 && image == system.processImage())
  }

  @Test func groupsAreNoProcesses() {
    for process: Int32 in [0, -1, .min] { #expect(SystemCalls.live.processLiveness(process) == .unknown) }
  }

  @Test func aProcessOfSomebodyElseIsAlive() { #expect(SystemCalls.live.processLiveness(1) == .alive) }

  @Test func aKilledProcessIsDeadBeforeAndAfterItsParentWaits() throws {
    let child = unsafe anteroom_fork_and(
      { _ in
        sleep(60)
        return 0
      }, nil)
    #expect(SystemCalls.live.processLiveness(child) == .alive)
    #expect(try #require(SystemCalls.live.processStartTime(child)) >= #require(SystemCalls.live.processStartTime(getpid())))
    Foundation.kill(child, SIGKILL)
    var information = unsafe siginfo_t()
    #expect(unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0)
    #expect(SystemCalls.live.processLiveness(child) == .dead)
    #expect(anteroom_wait(child) == 128 + SIGKILL)
    #expect(SystemCalls.live.processLiveness(child) == .dead)
    #expect(SystemCalls.live.processStartTime(child) == nil)
  }

  @Test func processesOfTheTestKernel() {
    let kernel = CrashKernel()
    let (first, second) = (kernel.process(), kernel.process())
    #expect(first.processIdentity() != second.processIdentity())
    #expect(first.processLiveness(second.processIdentity()) == .alive)
    #expect(first.processStartTime(second.processIdentity()) == second.facts.startTime)
    kernel.kill(second)
    #expect(first.processLiveness(second.processIdentity()) == .dead)
    let third = kernel.process()
    third.facts.namespace += 1
    #expect(first.processLiveness(third.processIdentity()) == .dead)
    third.facts.identity = first.processIdentity()
    #expect(first.processStartTime(first.processIdentity()) == first.facts.startTime)
  }
}

extension SystemCalls {
  fileprivate func processLiveness(_ process: Int32) -> ProcessLiveness {
    var startTime: UInt64?
    let liveness = processLiveness(process, startTime: &startTime)
    #expect(liveness != .alive || startTime == processStartTime(process))
    return liveness
  }
}
