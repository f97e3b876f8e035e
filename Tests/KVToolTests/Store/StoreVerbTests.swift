import Foundation
import TestSupport
import Testing

@testable import KVToolCommands
@testable import ObjectStorage

/// What the verbs say about a store whose types the tool doesn't know.
@Suite struct StoreVerbTests {
  private let key = [UInt8](repeating: 9, count: 32)

  @Test func info() async throws {
    let store = try await TestStore(key: key)
    let without = try ToolProcess.run("info", store.path)
    #expect(without.code == 0)
    #expect(without.output.contains("kind: store\n") && without.output.contains("is encrypted: yes\n"))
    #expect(!without.output.contains("object count"))
    let with = try ToolProcess.run("info", store.path, "--key-file", try store.keyFile(key))
    #expect(with.code == 0, "\(with.errorOutput)")
    #expect(with.output.contains("object count: 20\n") && with.output.contains("schema version: 1\n"))
  }

  @Test func statCountsEveryPage() async throws {
    let store = try await TestStore(count: 3_000)
    let run = try ToolProcess.run("stat", store.path, "--format", "json")
    #expect(run.code == 0, "\(run.errorOutput)")
    let facts = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let pages = try #require(facts["pages"] as? [String: Int])
    #expect(pages["all"] == ["meta", "branches", "leaves", "longValues", "free"].reduce(0) { $0 + (pages[$1] ?? 0) })
    let trees = try #require(facts["trees"] as? [[String: Any]])
    let letters = try #require(trees.first { $0["tree"] as? String == "objects of Letter" })
    #expect(letters["entryCount"] as? Int == 3_000)
    #expect(trees.contains { $0["tree"] as? String == "index Letter.conversation+sentAt" })
  }

  @Test func listsTypesAndSchema() async throws {
    let store = try await TestStore()
    #expect(try ToolProcess.run("ls", store.path).output == "0\tEverything\n20\tLetter\n")
    #expect(try ToolProcess.run("ls", store.path, "--format", "csv").output == "type,count\nEverything,0\nLetter,20\n")
    let schema = try ToolProcess.run("schema", store.path).output
    for line in [
      "schema version: 1", "Letter: 20 objects", "  id: String, primary key", "  note: String?", "  index on conversation, sentAt",
      "  stamp: EmbeddedObject", "    country: String", "  words: List<String>", "  counts: Map<String, Int>",
    ] { #expect(schema.contains(line), "\(line)\n\(schema)") }
    let json = try ToolProcess.run("schema", store.path, "--format", "json").output
    let types = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])["types"] as? [String: Any]
    #expect(types?.keys.sorted() == ["Everything", "Letter"])
  }

  @Test func getsByKey() async throws {
    let store = try await TestStore(key: key)
    let file = try store.keyFile(key)
    let run = try ToolProcess.run("get", store.path, "Letter", "l7", "--key-file", file)
    #expect(run.output == "id: l7\nconversation: c1\nsentAt: 7\ntext: text 7\nnote: nil\n", "\(run.errorOutput)")
    #expect(
      try ToolProcess.run("get", store.path, "Letter", "l7", "--format", "json", "--key-file", file).output
        == #"{"id":"l7","conversation":"c1","sentAt":7,"text":"text 7","note":null}"# + "\n")
    #expect(try ToolProcess.run("get", store.path, "Letter", "no", "--key-file", file).code == 1)
    #expect(try ToolProcess.run("get", store.path, "Leter", "l7", "--key-file", file).errorOutput.contains("did you mean 'Letter'"))
    #expect(try ToolProcess.run("get", store.path, "Everything", "x", "--key-file", file).code == 64)
  }

  @Test func queries() async throws {
    let store = try await TestStore()
    let query = ["query", store.path, "Letter", "conversation == \"c1\" && sentAt > 4", "--sort", "-sentAt", "--limit", "2"]
    #expect(
      try ToolProcess.run(query).output
        == "id=l19\tconversation=c1\tsentAt=19\ttext=text 19\tnote=nil\nid=l16\tconversation=c1\tsentAt=16\ttext=text 16\tnote=nil\n"
    )
    #expect(try ToolProcess.run(query + ["--format", "csv"]).lines.first == "id,conversation,sentAt,text,note")
    #expect(try ToolProcess.run(query + ["--format", "csv"]).lines.last == "l16,c1,16,text 16,")
    let json = try ToolProcess.run(query + ["--format", "json"]).output
    #expect((try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any])?.count == 2)
    #expect(try ToolProcess.run(query + ["--offset", "1", "--format", "jsonl"]).lines.count == 2)
    #expect(try ToolProcess.run("query", store.path, "Letter").lines.count == 20)
    #expect(try ToolProcess.run("count", store.path, "Letter", "text.contains(\"1\") | limit 5").output == "5\n")
    #expect(try ToolProcess.run("count", store.path, "Letter").output == "20\n")
    let explained = try ToolProcess.run(["explain"] + query.dropFirst()).output
    #expect(
      explained.hasPrefix("index Letter.conversation+sentAt: ") && explained.contains("examined 2, returned 2"), "\(explained)")
    for bad in ["sentAt >", "sentAt > \"x\"", "nothing == 1"] {
      let run = try ToolProcess.run("query", store.path, "Letter", bad)
      #expect(run.code == 64 && !run.errorOutput.isEmpty, "\(bad): \(run.errorOutput)")
    }
  }

  @Test func versionsAndReaders() async throws {
    let store = try await TestStore()
    #expect(try ToolProcess.run("versions", store.path).lines.first?.contains("newest") == true)
    let open = ObjectStore(configuration: TestStore.configuration(store.path, nil))
    try await open.open()
    let snapshot = try await open.snapshot()
    let run = try ToolProcess.run("readers", store.path, "--format", "jsonl")
    let own = ProcessInfo.processInfo.processIdentifier
    #expect(
      run.lines.contains { $0.contains("\"process\":\(own),\"version\":\(snapshot.version.transactionID)") && $0.contains("alive") }
    )
    try await open.save(TestStore.Letter(id: "new"))
    let versions = try ToolProcess.run("versions", store.path).lines
    #expect(versions.contains { $0.contains("version \(snapshot.version.transactionID)\t") && $0.contains("pinned by \(own)") })
    #expect(!versions[0].contains("pinned"))
    withExtendedLifetime(snapshot) {}
    await open.close()
  }
}
