#if canImport(Darwin)
  import Foundation

  extension StoragePath {
    /// Below the app's identifier: apps without a sandbox share the directory, and other libraries put a `default.store` into it.
    static func applicationSupport(_ environment: StorageEnvironment) throws(StorageError) -> String {
      let name = Bundle.main.bundleIdentifier ?? environment.programName
      guard !["", ".", ".."].contains(name) else { throw .storageDirectoryUnavailable(path: URL.applicationSupportDirectory.path) }
      return try path(of: URL.applicationSupportDirectory.appending(path: name, directoryHint: .isDirectory))
    }

    static func documents(_ environment: StorageEnvironment) throws(StorageError) -> String {
      try path(of: URL.documentsDirectory)
    }

    /// The system knows none that the app has no entitlement for.
    static func appGroup(_ group: String) throws(StorageError) -> String {
      guard let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw .storageDirectoryUnavailable(path: group)
      }
      return try path(of: url)
    }
  }
#endif
