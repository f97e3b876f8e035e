import Foundation
import StorageEngine
import StorageIO

/// What a process does with a lock file alone.
///
/// - `pin PATH [COUNT]`: pins the published version so many times, says so, and waits.
/// - `look PATH`: says what a writer sees, one pin a line, and reclaims what it may.
/// - `read PATH`: pins and lets go until it is told to end; says how often a version that it had pinned was gone: it never may be.
/// - `write PATH`: publishes versions, and raises the shared word 1 to the last version that nobody pinned.
/// - `exec PATH`: pins, and goes on as another program that looks.
enum LockWorker {
  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 2 else { throw WorkerFailure(reason: "lock COMMAND PATH") }
    let file = try open(arguments[1])
    switch arguments[0] {
    case "pin":
      var slots: [LockFile.Slot] = []
      for _ in 0..<(arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1) { slots.append(try file.registerPublished()) }
      say("pinned \(slots[0].version)")
      waitForTheEnd()
      for slot in slots { file.unregister(slot) }
    case "look":
      for pin in try file.pinned(reclaimingDead: true) { say("pin \(pin.version) self \(pin.isSelf)") }
      say("looked")
    case "read": try read(file)
    case "write": try write(file)
    case "exec":
      let slot = try file.registerPublished()
      say("pinned \(slot.version)")
      let words = [CommandLine.arguments[0], "lock", "look", arguments[1]]
      var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
      unsafe _ = execv("/proc/self/exe", &pointers)
      throw WorkerFailure(reason: "execv: errno \(errno)")
    default: throw WorkerFailure(reason: "no command \(arguments[0])")
    }
  }

  static func open(_ path: String) throws -> LockFile {
    try LockFile.open(
      .live, path: path, fileID: 7, mode: 0o600, deadline: Deadline(after: .seconds(10), .live),
      newest: { () throws(EngineError) in (published: 1, durable: 1, newestSeen: 1) })
  }

  private static func read(_ file: LockFile) throws {
    let end = EndOfInput()
    var (reads, losses) = (0, 0)
    while !end.hasCome {
      let slot = try file.registerPublished()
      for _ in 0..<200 { if file.extraWord(1) >= slot.version { losses += 1 } }
      reads += 1
      file.unregister(slot)
    }
    say("read \(reads) lost \(losses)")
  }

  private static func write(_ file: LockFile) throws {
    let end = EndOfInput()
    var commits = 0
    while !end.hasCome {
      let base = file.published
      let oldest = try file.pinned(reclaimingDead: true).map(\.version).min() ?? base
      // What comes before the oldest pinned version is overwritten.
      file.setExtraWord(1, min(oldest, base) - 1)
      file.publish(file.takeTransactionID())
      commits += 1
    }
    say("wrote \(commits)")
  }
}
