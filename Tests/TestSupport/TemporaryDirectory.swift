import Foundation

/// A fresh directory under the system's temporary directory, removed with all in it when the last owner lets go.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory().appending("/anteroom-").replacing("//", with: "/") + UUID().uuidString
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch { preconditionFailure("no temporary directory: \(error)") }
  }

  deinit {
    // A test may have taken its own rights away.
    _ = unsafe path.withCString { unsafe chmod($0, 0o700) }
    try? FileManager.default.removeItem(atPath: path)
  }

  package func path(of name: String) -> String { path + "/" + name }

  /// Relative paths of everything below, sorted.
  package var names: [String] { (FileManager.default.subpaths(atPath: path) ?? []).sorted() }

  package func contents(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(of: name)).map { [UInt8]($0) }
  }
  package func write(_ bytes: [UInt8], to name: String) {
    precondition(FileManager.default.createFile(atPath: path(of: name), contents: Data(bytes)), "can't write \(name)")
  }
}

/// Temporary files that nobody removed, by relative path: what every store must be free of in the end.
package func litter(in directory: String) -> [String] {
  let below = FileManager.default.subpaths(atPath: directory) ?? []
  return below.filter { ($0.split(separator: "/").last ?? "").hasPrefix(".tmp-") }.sorted()
}

/// Ends the test run when temporary files are left; where a test can report them itself, it expects `litter(in:)` to be empty.
package func assertNoLitter(in directory: String) {
  let found = litter(in: directory)
  precondition(found.isEmpty, "left behind in \(directory): \(found)")
}
