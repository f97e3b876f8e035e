import CForkSupport
import Foundation
import RawMemory
import Sealing
import StorageEngine
import StorageIO

/// What a process does with a store. `KEY` is a byte in decimal that a sealed store's key repeats, or `plain`.
///
/// - `write PATH KEY NUMBER`: commits for ever, each version one number higher, and says each number once it is durable.
/// - `loop PATH KEY`: reads whole versions until it is told to end: their sums must be right and their numbers never go back.
/// - `hold PATH KEY`: holds the newest version, says its number, waits, and reads it then.
/// - `begin PATH KEY`: begins a write, changes something, says so, and waits; commits when it is told to end.
/// - `create PATH KEY`: makes a store and says how that went.
/// - `pin PATH KEY`: holds the newest version, whatever is in it, says so, and waits.
/// - `fork-hold PATH KEY`: forks a child that sleeps, in the middle of a write, says its id, and dies of SIGKILL.
/// - `pins PATH KEY`: says which versions are pinned, as a writer's look finds them.
enum StoreWorker {
  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { throw WorkerFailure(reason: "store COMMAND PATH KEY") }
    var options = EngineOptions()
    options.pageByteCount = 1024
    options.dirtyPageByteCountMax = 64 << 10
    options.pageCacheByteCountMax = 64 << 10
    if let byte = UInt8(arguments[2]) {
      let bytes = [UInt8](repeating: byte, count: 32)
      options.key = .secret(SecretBytes(copying: bytes.span))
    }
    if arguments[0] == "create" { return create(arguments[1], options) }
    let engine = try Engine.open(path: arguments[1], options: options)
    switch arguments[0] {
    case "write": try write(engine, from: Int(arguments[3]) ?? 0)
    case "loop": try loop(engine)
    case "hold":
      let snapshot = try engine.snapshot()
      say("holding \(try StoreContents.number(snapshot))")
      waitForTheEnd()
      say("read \(try StoreContents.number(snapshot))")
    case "begin":
      let transaction = try engine.begin()
      try StoreContents.write(-1, transaction)
      say("begun")
      waitForTheEnd()
      _ = try transaction.commit()
      say("committed")
    case "fork-hold":
      let transaction = try engine.begin()
      try StoreContents.write(-1, transaction)
      say("child \(unsafe anteroom_fork_and(sleepInChild, nil))")
      kill(getpid(), SIGKILL)
      transaction.abort()
    case "pin":
      let snapshot = try engine.snapshot()
      say("pinned \(snapshot.version)")
      waitForTheEnd()
    case "pins":
      for pin in try engine.statistics().pins { say("pin \(pin.version)") }
      say("looked")
    default: throw WorkerFailure(reason: "no command \(arguments[0])")
    }
  }

  private static func create(_ path: String, _ options: EngineOptions) {
    signal(SIGXFSZ, SIG_DFL)
    do throws(EngineError) {
      let engine = try Engine.open(path: path, options: options)
      let transaction = try engine.begin()
      try StoreContents.write(1, transaction)
      _ = try transaction.commit()
      say("created")
    } catch {
      if case .noSpace = error { say("no space") } else { say("failed: \(error)") }
    }
  }

  private static func write(_ engine: Engine, from start: Int) throws {
    var number = start
    while true {
      number += 1
      let transaction = try engine.begin()
      try StoreContents.write(number, transaction)
      if number % 3 == 0 {
        _ = try transaction.commit(.ordered)
      } else {
        _ = try transaction.commit()
        say("\(number)")
      }
    }
  }

  private static func loop(_ engine: Engine) throws {
    let end = EndOfInput()
    var (reads, last) = (0, Int.min)
    say("looping")
    while !end.hasCome {
      let number = try StoreContents.number(try engine.snapshot())
      if number < last { throw WorkerFailure(reason: "\(number) after \(last)") }
      last = number
      reads += 1
    }
    say("read \(reads) to \(last)")
  }
}

private func sleepInChild(_ context: UnsafeMutableRawPointer?) -> Int32 {
  sleep(30)
  return 0
}
