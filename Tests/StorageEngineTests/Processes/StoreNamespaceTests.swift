import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Readers in PID namespaces of their own, where nobody can tell whether they live: their versions stay.
@Suite(.serialized, .enabled(if: Namespaces.arePermitted, "this process may not make PID namespaces"))
struct StoreNamespaceTests {
  @Test(arguments: [false, true]) func aReaderOfAnotherNamespaceKeepsItsVersion(isSealed: Bool) throws {
    let store = StoreUnderTest(isSealed: isSealed)
    let engine = try store.open()
    let worker = try #require(BuiltExecutable.path("storage-worker"))
    func inNamespace(_ command: String, _ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        "/usr/bin/unshare", ["--pid", "--fork", "--kill-child", worker, "store", command, store.path, store.key] + arguments,
        input: nil)
    }
    let first = try inNamespace("write", "0")
    #expect(first.waitForOutput("2\n"))
    // Process 1 of its namespace too.
    let holder = try inNamespace("hold")
    #expect(holder.waitForOutput("holding"))
    let before = StoreUnderTest.acknowledged(first.outputSoFar)
    #expect(first.waitForOutput("\(before + 7)\n") || StoreUnderTest.acknowledged(first.outputSoFar) > before + 7)
    for round in 0..<20 {
      try engine.write(.ordered) { transaction throws(EngineError) in
        for index in 0..<60 { try transaction.put("other \(index)", patterned(200, round), in: "u") }
      }
    }
    holder.closeInput()
    let words = holder.wait().output.split(whereSeparator: \.isWhitespace)
    #expect(words.count == 4 && words[1] == words[3], "\(words)")
    first.kill()
    first.wait()
    #expect(try engine.snapshot().verify().isClean)
  }
}
