package import StorageIO

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a configuration leads.
package enum StoragePath: Sendable, Hashable {
  /// The absolute path of the store's file, which needn't be there.
  case file(String)
  /// Memory of this process.
  case memory(identifier: String)

  /// The extension of a store's file, with the point.
  package static let fileExtension = ".store"

  /// Finds the place; nothing is made.
  ///
  /// - Throws: `storageDirectoryUnavailable` when the system doesn't say where the directory is; `system` with `EINVAL` for a file name
  ///   or a URL that can't be a file's.
  package static func resolve(
    _ configuration: StorageConfiguration, environment: StorageEnvironment = .live
  ) throws(StorageError) -> StoragePath {
    switch configuration.location {
    case .inMemory(let identifier): return .memory(identifier: identifier)
    case .file(let url): return .file(real(try path(of: url)))
    case .directory(let url): return try file(in: try path(of: url), configuration.fileName)
    case .applicationSupport: return try file(in: try applicationSupport(environment), configuration.fileName)
    case .documents: return try file(in: try documents(environment), configuration.fileName)
    case .appGroup(let group): return try file(in: try appGroup(group), configuration.fileName)
    }
  }

  /// Where a symbolic link leads: the lock file stands beside the file itself, and a compaction replaces that and not the link.
  private static func real(_ path: String) -> String {
    var status: FileStatus?
    guard SystemCalls.live.status(path: path, &status) == 0, status?.kind == .other else { return path }
    return URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }

  /// Makes the directories above a path that are missing, 0700. What is there already keeps its rights.
  ///
  /// - Throws: `noSpace`, or `storageDirectoryUnavailable`.
  package static func makeDirectories(for path: String, system: SystemCalls = .live) throws(StorageError) {
    let directory = PathParts(path).directory
    do throws(SystemError) {
      try StorageDirectory.makeWithParents(system, directory, mode: 0o700)
    } catch {
      switch error.code {
      case ErrorNumber.noSpace, ErrorNumber.quota: throw .noSpace
      default: throw .storageDirectoryUnavailable(path: directory)
      }
    }
  }

  private static func file(in directory: String, _ fileName: String) throws(StorageError) -> StoragePath {
    let name = fileName.utf8
    guard !name.isEmpty, !name.contains(0), !name.contains(UInt8(ascii: "/")) else {
      throw .system(call: "open", errno: ErrorNumber.invalidArgument, path: fileName)
    }
    return .file(real((directory == "/" ? "" : directory) + "/" + fileName + fileExtension))
  }

  /// Absolute, without a slash at its end.
  static func path(of url: URL) throws(StorageError) -> String {
    var path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : ""
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .system(call: "open", errno: ErrorNumber.invalidArgument, path: url.absoluteString)
    }
    return path
  }
}
