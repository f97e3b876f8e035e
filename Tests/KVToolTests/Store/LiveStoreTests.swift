import Foundation
import ObjectStorage
import StorageEngine
import StorageIO
import Synchronization
import TestSupport
import Testing

@testable import KVToolCommands

/// Stores that others have open meanwhile, and what is said of them.
@Suite struct LiveStoreTests {
  /// A writer changes every object in each of its transactions, and so reuses pages under whoever reads without being registered.
  @Test func whatIsReadWhileAnotherWritesIsOfOneVersion() async throws {
    let store = try await TestStore(count: 1500)
    var configuration = TestStore.configuration(store.path, nil)
    configuration.durability = .processCrash
    let open = ObjectStore(configuration: configuration)
    try await open.open()
    let isDone = Mutex(false)
    let writer = Task.detached {
      var generation = 0
      while !isDone.withLock({ $0 }) {
        generation += 1
        try await open.write { [generation] transaction in
          try transaction.update(TestStore.Letter.self, matching: DatabaseQuery()) { $0.text = "generation \(generation)" }
        }
      }
      return generation
    }
    // The first change of all.
    while try await open.count(TestStore.Letter.self, matching: DatabaseQuery { $0.text == "text 1" }) > 0 { await Task.yield() }
    var answers = 0
    for _ in 0..<6 {
      let run = try ToolProcess.run("query", store.path, "Letter", #"id.ends(with: "7")"#, "--format", "jsonl")
      #expect([0, 75].contains(run.code), "\(run.errorOutput)")
      if run.code != 0 { continue }
      answers += 1
      let texts = Set(run.lines.map { $0.components(separatedBy: "\"text\":").last ?? "" })
      #expect(run.lines.count == 150 && texts.count == 1, "\(run.lines.count) of \(texts.count) versions")
      let verified = try ToolProcess.run("verify", store.path)
      #expect([0, 75].contains(verified.code), "\(verified.output)\(verified.errorOutput)")
    }
    isDone.withLock { $0 = true }
    #expect(try await writer.value > 1)
    #expect(answers > 0)
    await open.close()
  }

  /// What was read is lost each time, until the bound: then the tool says so, and never calls it damage.
  @Test func aReadThatIsOvertakenBeginsAgain() async throws {
    let store = try await TestStore(count: 500)
    let open = ObjectStore(configuration: TestStore.configuration(store.path, nil))
    try await open.open()
    let system = SystemCalls.live
    func inspect(losses: Int) throws -> Int {
      var attempts = 0
      var parser = ArgumentParser(Count.command, [store.path, "Letter"])
      let parsed = try parser.parse()
      let invocation = Invocation(command: Count.command.forms[0], arguments: parsed, output: Output(system), system: system)
      try StoreFile.inspect(invocation) { _ in
        attempts += 1
        if attempts <= losses { throw EngineError.snapshotLost }
      }
      return attempts
    }
    #expect(try inspect(losses: 0) == 1)
    #expect(try inspect(losses: 5) == 6)
    #expect(throws: EngineError.self) { try inspect(losses: 100) }
    await open.close()
  }

  @Test func killedReadersAreDead() async throws {
    let store = try await TestStore()
    let child = try ChildProcess("storage-worker", ["store", "pin", store.path, "plain"], input: nil)
    #expect(child.waitForOutput("pinned"))
    let alive = try ToolProcess.run("readers", store.path)
    #expect(
      alive.lines.contains { $0.hasPrefix("process \(child.identifier)\t") && $0.hasSuffix("state alive") }, "\(alive.output)")
    #expect(try ToolProcess.run("info", store.path).output.contains("process count: 1\n"))
    child.kill()
    _ = child.wait()
    let dead = try ToolProcess.run("readers", store.path)
    #expect(dead.lines.contains { $0.hasPrefix("process \(child.identifier)\t") && $0.hasSuffix("state dead") }, "\(dead.output)")
    #expect(try ToolProcess.run("info", store.path).output.contains("process count: 0\n"))
    #expect(try !ToolProcess.run("versions", store.path).output.contains("pinned"))
  }

  @Test func whatIsNoStoreIsNotDescribed() throws {
    let directory = TemporaryDirectory()
    directory.write(Array("Dear diary,\n".utf8), to: "text")
    for format in ["text", "json"] {
      let run = try ToolProcess.run("info", directory.path(of: "text"), "--format", format)
      #expect(run.code == 65 && run.output.isEmpty, "\(run.output)")
      #expect(run.errorOutput.contains("not a mailbox"), "\(run.errorOutput)")
    }
  }

  @Test func aMissingOperandIsNamedForBoth() throws {
    for verb in ["info", "ls", "verify", "dump"] {
      let run = try ToolProcess.run(verb)
      #expect(
        run.code == 64 && run.errorOutput.contains("'\(verb)' needs MAILBOX or STORE or LOG\nusage: kvtool \(verb)"),
        "\(run.errorOutput)")
    }
    #expect(try ToolProcess.run("schema").errorOutput.contains("'schema' needs STORE\n"))
    #expect(try ToolProcess.run("pending").errorOutput.contains("'pending' needs MAILBOX\n"))
  }

  @Test func textsInListsAreTold() async throws {
    let store = try await TestStore { transaction in
      var everything = TestStore.Everything()
      everything.words = ["a, b", "nil", #"say "x""#, "]"]
      everything.counts = ["k: 1, l": 2]
      everything.stamp.country = "NL, BE"
      try transaction.save(everything)
    }
    let run = try ToolProcess.run("query", store.path, "Everything")
    #expect(run.output.contains(#"["a, b", "nil", "say \"x\"", "]"]"#), "\(run.output)")
    #expect(run.output.contains(#"{"k: 1, l": 2}"#), "\(run.output)")
    #expect(run.output.contains(#"country: "NL, BE""#), "\(run.output)")
  }

  /// The app would open the version before; the tool looks at the commit that is damaged, and says where.
  @Test func aDamagedLastCommitIsNamed() async throws {
    let store = try await TestStore()
    let before = try store.bytes()
    let open = ObjectStore(configuration: TestStore.configuration(store.path, nil))
    try await open.open()
    try await open.save(TestStore.Letter(id: "last"))
    await open.close()
    var bytes = try store.bytes()
    func content(_ page: Int, _ file: [UInt8]) -> ArraySlice<UInt8> { file[page * 4096..<(page + 1) * 4096] }
    let changed = (12..<before.count / 4096).first { content($0, before) != content($0, bytes) }
    let page = try #require(changed)
    bytes[page * 4096 + 100] ^= 1
    try store.replace(bytes)
    try FileManager.default.removeItem(atPath: store.path + ".lock")
    let run = try ToolProcess.run("verify", store.path)
    #expect(run.code == 1 && (run.output + run.errorOutput).contains("page \(page)"), "\(run.output)\(run.errorOutput)")
  }
}
