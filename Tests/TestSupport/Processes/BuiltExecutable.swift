import Foundation

/// Where executables of this package are that were built together with the running test.
package enum BuiltExecutable {
  /// nil when it isn't built. `ANTEROOM_EXECUTABLES` names a directory to look in first.
  package static func path(_ name: String) -> String? {
    for directory in directories {
      let candidate = directory + "/" + name
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    return nil
  }

  /// Beside the runner, beside the test bundle it was given, and up to three levels above each: a bundle may be a directory.
  private static var directories: [String] {
    var starts: [String] = []
    if let chosen = ProcessInfo.processInfo.environment["ANTEROOM_EXECUTABLES"] { starts.append(chosen + "/.") }
    if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { starts.append(own) }
    starts.append(contentsOf: CommandLine.arguments.filter { $0.contains(".xctest") })
    starts.append(contentsOf: Bundle.allBundles.map(\.bundlePath))
    var result: [String] = []
    for start in starts {
      var directory = start
      for _ in 0..<4 {
        directory = (directory as NSString).deletingLastPathComponent
        if directory.count > 1 && !result.contains(directory) { result.append(directory) }
      }
    }
    return result
  }
}
