#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where the file lives. Missing directories are made, 0700. On Linux the first two follow the XDG directories.
///
/// A directory that can't be found or made is `StorageError.storageDirectoryUnavailable` when the store is opened.
public enum StorageLocation: Sendable, Hashable {
  /// The app's directory for what people don't see. On Linux `$XDG_DATA_HOME` or `~/.local/share`, below the program's name.
  case applicationSupport
  /// The app's documents. On Linux `$XDG_DOCUMENTS_DIR` or `~/Documents`, below the program's name.
  case documents
  /// This directory.
  case directory(URL)
  /// This path exactly; `fileName` isn't used.
  case file(URL)
  /// The container of an app group, for several processes of one developer. Apple's systems only.
  case appGroup(String)
  /// No file: memory of this process, shared by the stores of one identifier.
  case inMemory(identifier: String)
}
