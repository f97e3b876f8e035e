#if !hasFeature(Embedded)
  import CSodium

  /// The libsodium that this process runs with.
  package enum SodiumVersion {
    /// As it calls itself: "1.0.18".
    package static var text: String {
      guard let version = unsafe sodium_version_string() else { return "unknown" }
      return unsafe String(cString: version)
    }
  }
#endif
