#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StorageIO

extension HookedCalls {
  /// With an app's test hooks.
  convenience init(_ hooks: StorageTestHooks) {
    let (hook, now) = (hooks.beforeOperation, hooks.now)
    self.init { name, number in
      guard let hook else { return 0 }
      do { try hook(name.description, number) } catch { return Self.code(error) }
      return 0
    } microseconds: {
      guard let now = now?().timeIntervalSince1970, now.magnitude < 9e12 else { return nil }
      return Int64(now * 1e6)
    }
  }

  /// What the call fails with; an error that isn't a system's is one of input or output.
  private static func code(_ error: any Error) -> Int32 {
    switch error as? StorageError {
    case .noSpace: ErrorNumber.noSpace
    case .system(_, let errno, _) where errno > 0: errno
    default: ErrorNumber.inputOutput
    }
  }
}
