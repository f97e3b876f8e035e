#if canImport(Darwin)
  import CSystem

  extension SystemError {
    /// Whether a locked device keeps the file from being read: its class has no key at this moment. A file of another owner is `EACCES`.
    package var isProtectedData: Bool {
      guard code == EPERM else { return false }
      return switch call {
      case .open, .read, .write, .map, .allocate, .truncate, .protect: true
      default: false
      }
    }
  }
#endif
