import Foundation

/// The package as it lies on disk, without what `.gitignore` names.
struct SourceTree: Sendable {
  /// The package these tests belong to, read once.
  static let package = SourceTree(root: String(#filePath).replacingOccurrences(of: "/Tests/TidyTests/SourceTree.swift", with: ""))

  let root: String
  /// Of every file, text or not, relative to the root.
  let paths: [String]
  /// Those that hold text.
  let files: [SourceFile]

  init(root: String) {
    let ignored = IgnoredNames(gitignore: (try? String(contentsOfFile: root + "/.gitignore", encoding: .utf8)) ?? "")
    self.root = root
    paths = Self.paths(below: "", in: root, except: ignored).sorted()
    files = paths.compactMap { path in
      guard let data = FileManager.default.contents(atPath: root + "/" + path), !data.contains(0) else { return nil }
      return String(data: data, encoding: .utf8).map { SourceFile(path: path, text: $0) }
    }
  }

  private static func paths(below directory: String, in root: String, except ignored: IgnoredNames) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + directory)) ?? []
    return names.flatMap { name -> [String] in
      let path = directory + name
      var isDirectory: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isDirectory) else { return [] }
      if ignored.contain(name, isDirectory: isDirectory.boolValue, atRoot: directory.isEmpty) { return [] }
      return isDirectory.boolValue ? paths(below: path + "/", in: root, except: ignored) : [path]
    }
  }

  func isExecutable(_ file: SourceFile) -> Bool { FileManager.default.isExecutableFile(atPath: root + "/" + file.path) }
}

/// The patterns of a `.gitignore` that this package uses: a name with at most one `*`, a `/` in front for the root's own
/// entries and one behind for directories.
struct IgnoredNames {
  private let patterns: [Substring]

  init(gitignore: String) {
    patterns = [".git"] + gitignore.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  func contain(_ name: String, isDirectory: Bool, atRoot: Bool) -> Bool {
    patterns.contains { pattern in
      if pattern.hasPrefix("/"), !atRoot { return false }
      if pattern.hasSuffix("/"), !isDirectory { return false }
      let parts = pattern.split(separator: "/").joined().split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return name == parts.joined() }
      return name.count >= parts[0].count + parts[1].count && name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
    }
  }
}
