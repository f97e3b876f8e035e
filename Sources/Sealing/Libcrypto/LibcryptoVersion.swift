#if !hasFeature(Embedded)
  /// What seals in this process.
  package enum SealingLibrary {
    package static let name = "libcrypto"
    package static var version: String { "for tests alone" }
  }
#endif
