import StorageIO

/// Apple's protection classes, without Foundation. What exists keeps its own.
public enum LogFileProtection: Sendable {
  /// Readable while the device is unlocked: a helper that runs on a locked device gets ``LogError/protectedData``. Nothing is mapped.
  case complete
  /// A file that is open stays readable when the device locks.
  case completeUnlessOpen
  /// Readable from the first unlock after a start on: what a helper needs that runs on a locked device.
  case completeUntilFirstUserAuthentication
}

extension FileProtection {
  /// What the options ask for.
  init(_ options: LogOptions) {
    let protectionClass: ProtectionClass =
      switch options.fileProtection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
      }
    self.init(protectionClass, isExcludedFromBackup: options.excludedFromBackup)
  }
}
