import Foundation
import TestSupport
import Testing

@testable import StorageEngine
@testable import StorageIO

/// Processes of several PID namespaces, where one number is several processes and no process of another namespace can be asked about.
@Suite(.serialized, .enabled(if: Namespaces.arePermitted, "this process may not make PID namespaces"))
struct LockNamespaceTests {
  private let place = TemporaryDirectory()
  private var path: String { place.path(of: "a.store.lock") }
  private let worker = BuiltExecutable.path("storage-worker") ?? ""

  private func open() throws -> LockFile {
    try LockFile.open(
      .live, path: path, fileID: 7, mode: 0o600, deadline: Deadline(after: .seconds(10), .live),
      newest: { () throws(EngineError) in (published: 1, durable: 1, newestSeen: 1) })
  }
  /// A process of a namespace of its own. `/proc` stays that of this one, as `unshare` leaves it, unless it is mounted anew.
  private func inNamespace(_ arguments: [String], mountsProc: Bool = false) throws -> ChildProcess {
    let options = ["--pid", "--fork", "--kill-child"] + (mountsProc ? ["--mount-proc"] : [])
    return try ChildProcess("/usr/bin/unshare", options + arguments, input: nil)
  }

  @Test func noSlotOfALivingReaderIsReclaimed() throws {
    let file = try open()
    let own = try file.pinOld()
    // Both are process 1 of their namespace.
    let first = try inNamespace([worker, "lock", "pin", path])
    #expect(first.waitForOutput("pinned"))
    let second = try inNamespace([worker, "lock", "pin", path], mountsProc: true)
    #expect(second.waitForOutput("pinned"))
    file.publish(file.takeTransactionID())
    let all = try versions(file)
    #expect(all.count == 3 && all[0] == own.version)
    #expect(try file.pinned(reclaimingDead: false).allSatisfy { !$0.isKnownDead })
    // Others look, from namespaces in which nobody of those is, or in which the number 1 is their own.
    for mountsProc in [false, true] {
      for _ in 0..<3 {
        let looking = try inNamespace([worker, "lock", "look", path], mountsProc: mountsProc).wait()
        #expect(looking.output.split(separator: "\n").count(where: { $0.hasSuffix("self false") }) == 3, "\(looking.output)")
      }
    }
    #expect(try versions(file) == all)
    first.closeInput()
    second.closeInput()
    #expect(first.wait().isSuccess && second.wait().isSuccess)
    #expect(try versions(file) == [own.version])
  }

  /// Within one namespace the dead are told from the living, also where `/proc` shows other processes under their numbers.
  @Test(arguments: [false, true]) func theDeadOfOneNamespace(mountsProc: Bool) throws {
    let file = try open()
    let script = """
      mkfifo "$1.input"; "$0" lock pin "$1" <> "$1.input" & pinning=$!
      read line; "$0" lock look "$1"
      kill -9 $pinning; wait $pinning; "$0" lock look "$1"; echo over
      """
    let shell = try inNamespace(["/bin/sh", "-c", script, worker, path], mountsProc: mountsProc)
    #expect(shell.waitForOutput("pinned 1"))
    file.publish(file.takeTransactionID())
    shell.write("go\n")
    #expect(shell.waitForOutput("over"))
    #expect(shell.outputSoFar == "pinned 1\npin 1 self false\nlooked\nlooked\nover\n")
    #expect(try versions(file) == [])
    shell.closeInput()
    shell.kill()
  }
}

enum Namespaces {
  static let arePermitted: Bool = {
    guard let child = try? ChildProcess("/usr/bin/unshare", ["--pid", "--fork", "true"]) else { return false }
    return child.wait(timeout: .seconds(10)).isSuccess
  }()
}
