import Foundation
import Testing

/// The code for Apple's systems, which isn't compiled here: at least the compiler can read it, and each file has a condition around all
/// of it.
@Suite struct DarwinTests {
  private var files: [SourceFile] { SourceTree.package.files.filter { $0.isIn("Sources") && $0.isNamedForDarwin } }

  /// What the compiler's parser says, inactive conditions included.
  private func complaints(_ paths: [String]) throws -> String {
    let compiler = Process()
    let errors = Pipe()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["swiftc", "-frontend", "-parse"] + paths
    compiler.standardError = errors
    try compiler.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? "" : message
  }

  @Test func everyFileParses() throws {
    #expect(files.count > 8)
    #expect(try complaints(files.map { SourceTree.package.root + "/" + $0.path }) == "")
  }

  @Test func aFileThatDoesNotParseIsFound() throws {
    let path = NSTemporaryDirectory() + "anteroom-\(UUID().uuidString).swift"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "#if canImport(Darwin)\n  func a( {}\n#endif\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try complaints([path]).contains("error"))
  }

  @Test func theConditionIsAroundAllOfIt() {
    for file in files {
      let lines = file.lines.filter { !$0.isEmpty }
      #expect(lines.first?.hasPrefix("#if canImport(") == true && lines.last == "#endif", "\(file.path)")
    }
  }

  /// What has a form for Linux has one for Darwin, or says in its name what it is about there.
  @Test func functionsOfTheSystemHaveBothForms() {
    func functions(_ suffix: String) -> Set<Substring> {
      let lines = SourceTree.package.files.filter { $0.isIn("Sources/StorageIO") && $0.path.hasSuffix(suffix) }.flatMap(\.codeLines)
      return Set(lines.filter { $0.contains("func ") }.compactMap { line in line.words.first { $0.hasPrefix("live") } })
    }
    let (linux, darwin) = (functions("+Linux.swift"), functions("+Darwin.swift"))
    #expect(linux.count > 12 && linux == darwin)
  }

  /// The manifest names what is called, and only that.
  @Test func thePrivacyManifestIsAPropertyListAndTrue() throws {
    let path = SourceTree.package.root + "/Sources/MailboxLog/PrivacyInfo.xcprivacy"
    let data = try #require(FileManager.default.contents(atPath: path))
    let list = try #require(unsafe try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(list["NSPrivacyTracking"] as? Bool == false)
    let types = try #require(list["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    #expect(types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String } == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
    #expect(types.first?["NSPrivacyAccessedAPITypeReasons"] as? [String] == ["C617.1"])
    // No other API that needs a reason: disk space (but for the Mac), the time since the start, keyboards, defaults.
    let libraries = ["RawMemory", "StorageIO", "Sealing", "MailboxLog", "MailboxListening", "CSystem"].map { "Sources/" + $0 }
    let needReasons = [
      "statvfs", "fstatfs", "getattrlist", "fgetattrlist", "systemUptime", "mach_absolute_time", "UserDefaults", "activeInputModes",
      "volumeAvailableCapacityKey", "systemFreeSize", "creationDate", "modificationDate",
    ]
    for file in SourceTree.package.files where file.isSwiftOrC && libraries.contains(where: { file.path.hasPrefix($0 + "/") }) {
      let words = Set(file.codeLines.flatMap(\.words).map(String.init))
      #expect(words.isDisjoint(with: needReasons), "\(file.path)")
    }
  }
}
