import Testing

/// The rules of the source tree, each over every file it is about.
@Suite struct TreeTests {
  let tree = SourceTree.package

  private func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    guard !findings.isEmpty else { return }
    let list = findings.map { "\n\($0)" }.joined()
    Issue.record("\(findings.count) found:\(list)", sourceLocation: sourceLocation)
  }

  private var code: [SourceFile] { tree.files.filter { $0.isIn("Sources", "Tests", "Examples", "Benchmarks") } }
  private var shipped: [SourceFile] { tree.files.filter { $0.isIn("Sources", "Examples", "Benchmarks") } }
  private var libraries: [SourceFile] { tree.files.filter { $0.isIn("Sources") } }
  private var tools: [SourceFile] { tree.files.filter { $0.isIn("Tests", "Examples", "Benchmarks", ".ci") } }

  @Test("The tree is read: sources of every kind are in it")
  func readsTree() {
    for path in ["Package.swift", "Sources/CSystem/include/CSystem.h", "Tests/TidyTests/TreeTests.swift", ".ci/run"] {
      #expect(tree.files.contains { $0.path == path })
    }
    #expect(!tree.paths.contains { $0.hasPrefix(".build") || $0.hasPrefix(".git/") })
  }

  @Test("No source file is over 400 lines") func length() { expectNone(code.flatMap(Rules.length)) }

  @Test("Targets import what the architecture lets them") func imports() { expectNone(libraries.flatMap(Rules.imports)) }

  @Test("'unsafe' stands in the fence and the call wrappers only")
  func unsafeCode() { expectNone(shipped.flatMap(Rules.unsafeCode)) }

  @Test("Nothing is marked as unfinished") func unfinishedWork() { expectNone(shipped.flatMap(Rules.unfinishedWork)) }

  @Test("No file names a path of one machine") func machinePaths() { expectNone(tree.files.flatMap(Rules.machinePaths)) }

  @Test("Every public declaration has a comment") func documentation() { expectNone(libraries.flatMap(Rules.documentation)) }

  @Test("Every catalogue of documentation has a root article")
  func rootArticles() { expectNone(Rules.rootArticles(libraries, paths: tree.paths)) }

  @Test("A platform's code is in files named for it") func platforms() { expectNone(shipped.flatMap(Rules.platformConditions)) }

  @Test("The root holds the known directories only") func topLevel() { expectNone(tree.paths.flatMap(Rules.topLevel)) }

  @Test("Scripts can be run")
  func executable() {
    expectNone(tools.flatMap { Rules.executable($0, isExecutable: tree.isExecutable($0)) })
  }

  @Test("Scripts parse") func shellSyntax() throws { expectNone(try tools.filter(Rules.isShell).flatMap(Rules.shellSyntax)) }
}
