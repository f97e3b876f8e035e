#if !hasFeature(Embedded)
  import CSodium

  /// What seals in this process.
  package enum SealingLibrary {
    package static let name = "libsodium"
    /// As it calls itself: "1.0.18".
    package static var version: String {
      guard let version = unsafe sodium_version_string() else { return "unknown" }
      return unsafe String(cString: version)
    }
  }
#endif
