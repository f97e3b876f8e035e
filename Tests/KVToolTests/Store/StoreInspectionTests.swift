import Foundation
import MailboxLog
import ObjectStorage
import StorageEngine
import TestSupport
import Testing

@testable import KVToolCommands

/// Looking at a store leaves no trace, and mistakes have their exit codes.
@Suite struct StoreInspectionTests {
  private let key = [UInt8](repeating: 9, count: 32)

  @Test(arguments: [false, true])
  func inspectingChangesNothing(hasWriter: Bool) async throws {
    let store = try await TestStore()
    let open = ObjectStore(configuration: TestStore.configuration(store.path, nil))
    if hasWriter {
      try await open.open()
      _ = try await open.count(TestStore.Letter.self)
    } else {
      try? FileManager.default.removeItem(atPath: store.path + ".lock")
    }
    let before = try store.fingerprint()
    for (verb, arguments) in TestStore.storeVerbs {
      let run = try ToolProcess.run([verb, store.path] + arguments)
      #expect(run.code == 0, "\(verb): \(run.errorOutput)")
      #expect(try store.fingerprint() == before, "\(verb)")
    }
    await open.close()
  }

  @Test func otherVerbsAreUsageErrors() async throws {
    let store = try await TestStore()
    for arguments in [
      ["tail"], ["pending"], ["append", "--id", "x"], ["load"], ["recover", "-o", "out"], ["page", "1"], ["hexdump"],
    ] {
      let run = try ToolProcess.run([arguments[0], store.path] + arguments.dropFirst())
      #expect(run.code == 64, "\(arguments): \(run.errorOutput)")
      #expect(run.errorOutput.contains("is a store"))
    }
    for extra in [
      ["ls", "--prefix", "x"], ["get", "Letter", "l1", "--raw"], ["ls", "--format", "hex"], ["ls", "x"], ["get"], ["query"],
    ] {
      #expect(try ToolProcess.run([extra[0], store.path] + extra.dropFirst()).code == 64, "\(extra)")
    }
    let mailbox = try TestMailbox { try $0.append(id: "a", payload: []) }
    for verb in [["schema"], ["query", "T"], ["count", "T"], ["explain", "T"], ["versions"], ["readers"]] {
      for path in [mailbox.path, mailbox.segmentPath] {
        let run = try ToolProcess.run([verb[0], path] + verb.dropFirst())
        #expect(run.code == 64 && run.errorOutput.contains("is a mailbox"), "\(verb): \(run.errorOutput)")
      }
    }
  }

  @Test func exitCodes() async throws {
    let store = try await TestStore(key: key)
    let file = try store.keyFile(key)
    let other = TestStore.storeVerbs.filter { !["info", "readers"].contains($0.verb) }
    for (verb, arguments) in other {
      #expect(try ToolProcess.run([verb, store.path] + arguments).code == 77, "\(verb)")
      #expect(try ToolProcess.run([verb, store.path] + arguments + ["--key-file", file]).code == 0, "\(verb)")
      let wrong = ["--key-env", "K"]
      let run = try ToolProcess.run([verb, store.path] + arguments + wrong, environment: ["K": String(repeating: "ab", count: 32)])
      #expect(run.code == 77, "\(verb)")
    }
    let plain = try await TestStore()
    #expect(try ToolProcess.run("ls", plain.path, "--key-file", file).code == 77)
    for (verb, arguments) in TestStore.storeVerbs {
      #expect(try ToolProcess.run([verb, store.directory.path(of: "absent.store")] + arguments).code == 66, "\(verb)")
    }
    for (name, bytes) in [("empty", []), ("text", Array("hello".utf8)), ("cut", Array(try plain.bytes().prefix(100)))] {
      plain.directory.write(bytes, to: name)
      for verb in ["schema", "versions", "verify", "info"] {
        #expect(try ToolProcess.run(verb, plain.directory.path(of: name)).code == 65, "\(verb) \(name)")
      }
    }
    var newer = try plain.bytes()
    for slot in 0..<3 where newer.count > slot * 16_384 + 84 { newer[slot * 16_384 + 8] = 9 }
    try plain.replace(newer)
    let run = try ToolProcess.run("ls", plain.path)
    #expect(run.code == 65, "\(run.errorOutput)")
  }
}
