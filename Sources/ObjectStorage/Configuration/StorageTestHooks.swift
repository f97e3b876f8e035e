#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// For tests of apps: a crash or an error where the store writes, and a clock. Never set it in a release.
///
/// A store with hooks shares its file with other stores of the process as with those of other processes.
public struct StorageTestHooks: Sendable {
  /// Called before each `write`, `sync` and `rename` (of a name that is given, too) with its number since opening, from 1; throwing makes it
  /// fail: `StorageError.noSpace` as a full disk does, `.system` with its `errno`, any other error as an error of input or output.
  public var beforeOperation: (@Sendable (_ name: String, _ number: Int) throws -> Void)?
  /// What the time of a commit is; nil asks the system.
  public var now: (@Sendable () -> Date)?
  /// Hooks that do nothing.
  public init() {}
}
