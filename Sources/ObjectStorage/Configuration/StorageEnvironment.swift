import StorageIO

/// What resolving a location asks the process for.
package struct StorageEnvironment: Sendable {
  /// An environment variable; nil when it isn't set, or isn't UTF-8.
  package var variable: @Sendable (String) -> String?
  /// The last component of the path that the program was started by.
  package var programName: String

  package init(programName: String, variable: @escaping @Sendable (String) -> String?) {
    self.programName = programName
    self.variable = variable
  }

  /// Of this process.
  package static var live: StorageEnvironment {
    let path = CommandLine.arguments.first ?? ""
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: Array($0), as: UTF8.self) }
    return StorageEnvironment(programName: name ?? "") { name in
      SystemCalls.live.environment(name).flatMap { String(validating: $0, as: UTF8.self) }
    }
  }
}
