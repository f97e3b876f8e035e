import CSodium

/// Brings libsodium up: once a process, by whoever first needs a guarded page, so a process without encryption never pays for it.
enum CryptoLibrary {
  private static let isReady: Bool = sodium_init() >= 0

  /// Returns once the library is ready; several threads may call it at once.
  static func require() {
    guard isReady else { fatalError("libsodium finds no source of random numbers") }
  }

  /// Fills the first `count` bytes from the system's random number generator.
  static func randomize(_ bytes: inout MutableSpan<UInt8>, count: Int) {
    require()
    unsafe bytes.withUnsafeMutableBufferPointer { target in
      precondition(count > 0 && count <= target.count)
      unsafe randombytes_buf(target.baseAddress!, count)
    }
  }
}

extension Span where Element == UInt8 {
  /// The address for a C function that refuses NULL even for no bytes.
  func withSodiumAddress<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
    unsafe withUnsafeBufferPointer { bytes in
      if let address = bytes.baseAddress { return unsafe body(address, bytes.count) }
      var none: UInt8 = 0
      return unsafe body(&none, 0)
    }
  }
}
