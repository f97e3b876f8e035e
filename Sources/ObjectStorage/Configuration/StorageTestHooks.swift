#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// For tests of apps: a crash or an error where the store writes, and a clock. Never set it in a release.
public struct StorageTestHooks: Sendable {
  /// Called before each write, sync and rename with its number since opening; throwing makes it fail so.
  public var beforeOperation: (@Sendable (_ name: String, _ number: Int) throws -> Void)?
  /// What the time is; nil asks the system.
  public var now: (@Sendable () -> Date)?
  /// Hooks that do nothing.
  public init() {}
}
