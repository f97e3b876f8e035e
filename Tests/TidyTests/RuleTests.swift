import Testing

/// That each rule can fail, and what it lets pass.
@Suite struct RuleTests {
  private func lines(_ rule: (SourceFile) throws -> [Finding], _ path: String, _ text: String) rethrows -> [Int] {
    try rule(SourceFile(path: path, text: text)).map(\.line)
  }

  @Test func length() {
    let longest = String(repeating: "// a line\n", count: 400)
    #expect(lines(Rules.length, "Sources/A/B.swift", longest) == [])
    #expect(lines(Rules.length, "Sources/A/B.swift", longest + "// one more\n") == [401])
    #expect(lines(Rules.length, "Sources/A/include/B.h", longest + "// no newline") == [401])
    #expect(lines(Rules.length, "Sources/A/B.md", longest + longest) == [])
  }

  @Test(arguments: [
    ("Sources/RawMemory/A.swift", "import StorageIO"),
    ("Sources/StorageIO/A.swift", "package import MailboxLog"),
    ("Sources/Sealing/A.swift", "import CZlib"),
    ("Sources/MailboxLog/A.swift", "  @_exported public import Foundation"),
    ("Sources/MailboxLog/A+Linux.swift", "import Foundation"),
    ("Sources/MailboxLog/A+FullLanguage.swift", "import FoundationEssentials"),
    ("Sources/MailboxLog/A.swift", "import Dispatch"),
    ("Sources/MailboxLog/A.swift", "import CSystem"),
    ("Sources/MailboxLog/A.swift", "@_spi(Testing) import struct MailboxPromotion.Promoter"),
    ("Sources/MailboxPromotion/A.swift", "import StorageIO"),
    ("Sources/kvtool/main.swift", "import MailboxLog"),
    ("Sources/Newcomer/A.swift", ""),
  ])
  func importsRefused(path: String, text: String) {
    #expect(lines(Rules.imports, path, text) == [1])
  }

  @Test(arguments: [
    ("Sources/StorageIO/A.swift", "import CZlib\npackage import RawMemory\nimport Synchronization"),
    ("Sources/MailboxLog/A+Linux.swift", "#if os(Linux)\n  import Glibc\n#endif"),
    ("Sources/MailboxLog/A+FullLanguage.swift", "import Dispatch"),
    ("Sources/MailboxLog/A+Darwin.swift", "import Foundation"),
    ("Sources/Sealing/CryptoKit/A+CryptoKit.swift", "import CryptoKit"),
    ("Sources/MailboxLog/A.swift", "// import Foundation\nlet important = \"\"\"\nimport Foundation\n\"\"\""),
    ("Tests/ATests/A.swift", "import Foundation"),
  ])
  func importsAllowed(path: String, text: String) {
    #expect(lines(Rules.imports, path, text) == [])
  }

  @Test func unsafeCode() {
    let bad = """
      let a = 1  // unsafe
      let b = unsafe c
      let d = "unsafe \\(unsafe e)"
      nonisolated(unsafe) var f = 1
      withUnsafeBytes { }
      """
    #expect(lines(Rules.unsafeCode, "Sources/MailboxLog/Segment.swift", bad) == [2, 3, 4])
    #expect(lines(Rules.unsafeCode, "Sources/StorageIO/StorageFile.swift", bad) == [2, 3, 4])
    #expect(lines(Rules.unsafeCode, "Sources/Sealing/RecordSealer.swift", bad) == [2, 3, 4])
    #expect(lines(Rules.unsafeCode, "Examples/Chat/chat-app/main.swift", bad) == [2, 3, 4])
    for wrapper in [
      "Sources/RawMemory/Mapping.swift", "Sources/StorageIO/SystemCalls+Linux.swift", "Sources/StorageIO/Checksum.swift",
      "Sources/Sealing/Libsodium/SodiumAEAD.swift", "Sources/Sealing/CryptoKit/Sealing+CryptoKit.swift",
    ] {
      #expect(lines(Rules.unsafeCode, wrapper, bad) == [])
    }
    #expect(lines(Rules.unsafeCode, "Examples/SQLiteTarget/Statement.swift", "import CSQLite\n" + bad) == [])
    #expect(lines(Rules.unsafeCode, "Sources/MailboxLog/A.swift", "import CSystem\n" + bad) == [3, 4, 5])
  }

  @Test(arguments: Rules.unfinishedWords) func unfinishedWork(word: String) {
    #expect(lines(Rules.unfinishedWork, "Sources/A/B.swift", "// All good.\n// \(word.uppercased()): the rest") == [2])
    #expect(lines(Rules.unfinishedWork, "Sources/A/B.swift", "let a = \"\(word)\"") == [1])
  }

  @Test func unfinishedWorkNot() {
    #expect(lines(Rules.unfinishedWork, "Sources/A/B.swift", "case batchAcknowledged, \(Rules.unfinishedWords[3])") == [1])
    #expect(lines(Rules.unfinishedWork, "Sources/A/B.swift", "case batchAcknowledged") == [])
    let template = String(repeating: "X", count: 6)
    #expect(lines(Rules.unfinishedWork, "Examples/run-a", "directory=$(mktemp -d \"$base.\(template)\")") == [])
  }

  @Test(arguments: ["/ho" + "me/ada/a", "/Us" + "ers/ada/a", "cd /ro" + "ot/a", "\"/wo" + "rk/main\""])
  func machinePaths(path: String) {
    #expect(lines(Rules.machinePaths, "README.md", "# A\n\(path)\n/usr/bin/env") == [2])
  }

  @Test func platformConditions() {
    let bad = "#if os(Linux)\n#elseif canImport(Darwin)\n#endif\n#if !hasFeature(Embedded)\n#endif\n// #if os(Linux)"
    #expect(lines(Rules.platformConditions, "Sources/A/B.swift", bad) == [1, 2])
    #expect(lines(Rules.platformConditions, "Sources/A/B+Linux.swift", bad) == [])
    #expect(lines(Rules.platformConditions, "Sources/A/B+Darwin.swift", bad) == [])
  }

  @Test func topLevel() {
    #expect(Rules.topLevel("Plugins/A/B.swift").map(\.message) == ["'Plugins' is not among the names at the root"])
    #expect(Rules.topLevel("notes.txt").count == 1)
    for path in ["Sources/A/B.swift", ".ci/run", ".gitignore", "README.md", "LICENSE", "Package.swift"] {
      #expect(Rules.topLevel(path) == [])
    }
  }

  @Test func rootArticles() {
    let paths = ["Sources/A/A.docc/Format.md", "Sources/A/A.docc/A.md", "Sources/B/B.swift"]
    let right = SourceFile(path: paths[1], text: "# ``A``\n\nWhat it is.\n")
    let wrong = SourceFile(path: paths[1], text: "# A\n")
    #expect(Rules.rootArticles([right], paths: paths) == [])
    #expect(Rules.rootArticles([wrong], paths: paths).map(\.path) == [paths[1]])
    #expect(Rules.rootArticles([], paths: [paths[0]]).map(\.path) == [paths[1]])
  }

  @Test func executable() {
    let script = SourceFile(path: "Tests/run-a", text: "#!/usr/bin/env bash\n")
    let functions = SourceFile(path: "Tests/functions.sh", text: "f() { :; }\n")
    let nameless = SourceFile(path: "Tests/run-b", text: "echo\n")
    #expect(Rules.executable(script, isExecutable: true) == [])
    #expect(Rules.executable(script, isExecutable: false).count == 1)
    #expect(Rules.executable(functions, isExecutable: false) == [])
    #expect(Rules.executable(functions, isExecutable: true).count == 1)
    #expect(Rules.executable(nameless, isExecutable: false).count == 1)
  }

  @Test func shellSyntax() throws {
    #expect(try lines(Rules.shellSyntax, "Tests/run-a", "#!/usr/bin/env bash\nif true; then\n") == [1])
    #expect(try lines(Rules.shellSyntax, "Tests/run-a", "#!/usr/bin/env bash\nif true; then :; fi\n") == [])
    #expect(Rules.isShell(SourceFile(path: "Tests/run-a", text: "#!/bin/sh\n")))
    #expect(Rules.isShell(SourceFile(path: "Tests/a.sh", text: "")))
    #expect(!Rules.isShell(SourceFile(path: "Tests/run-a", text: "#!/usr/bin/env python3\n")))
  }
}
