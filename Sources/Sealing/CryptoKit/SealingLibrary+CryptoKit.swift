#if canImport(CryptoKit) && !hasFeature(Embedded)
  /// What seals in this process.
  package enum SealingLibrary {
    package static let name = "CryptoKit"
    package static var version: String { "the system's" }
  }
#endif
