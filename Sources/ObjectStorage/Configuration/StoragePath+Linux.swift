#if os(Linux)
  extension StoragePath {
    static func applicationSupport(_ environment: StorageEnvironment) throws(StorageError) -> String {
      try directory(environment, variable: "XDG_DATA_HOME", belowHome: ".local/share")
    }

    static func documents(_ environment: StorageEnvironment) throws(StorageError) -> String {
      try directory(environment, variable: "XDG_DOCUMENTS_DIR", belowHome: "Documents")
    }

    /// Only Apple's systems have them.
    static func appGroup(_ group: String) throws(StorageError) -> String { throw .storageDirectoryUnavailable(path: group) }

    /// The specification has a variable ignored that isn't an absolute path.
    private static func directory(
      _ environment: StorageEnvironment, variable: String, belowHome: String
    ) throws(StorageError) -> String {
      let program = environment.programName
      guard !["", ".", ".."].contains(program), !program.utf8.contains(0) else {
        throw .storageDirectoryUnavailable(path: "$\(variable)/\(program)")
      }
      if let base = absolute(environment.variable(variable)) { return base + "/" + program }
      if let home = absolute(environment.variable("HOME")) { return "\(home)/\(belowHome)/\(program)" }
      throw .storageDirectoryUnavailable(path: "~/\(belowHome)/\(program)")
    }

    /// Without slashes at the end, so that the root is empty; nil if it isn't absolute.
    private static func absolute(_ path: String?) -> String? {
      guard var path, path.utf8.first == UInt8(ascii: "/") else { return nil }
      while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
      return path
    }
  }
#endif
