#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// HMAC-SHA-256. What a call knows of a key beyond its arguments is CryptoKit's to wipe.
  enum HMACSHA256 {
    static let byteCount = 32

    /// Writes the code of `message` to the first 32 bytes of `output`. A key of any length, also none.
    static func authenticate(_ message: Span<UInt8>, key: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
      var state = begun(key)
      unsafe message.withUnsafeBytes { unsafe state.update(data: $0) }
      write(state, to: &output, at: 0)
    }

    /// Writes block `index` (from 1) of an HKDF expansion to its place in `output`: the code of the block before it there, `info` and the
    /// index.
    static func expandBlock(_ index: UInt8, info: Span<UInt8>, key: Span<UInt8>, in output: inout MutableSpan<UInt8>) {
      precondition(index > 0)
      let start = (Int(index) - 1) * byteCount
      var state = begun(key)
      if index > 1 {
        unsafe output.withUnsafeMutableBufferPointer { target in
          unsafe state.update(data: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[start - byteCount..<start]))
        }
      }
      unsafe info.withUnsafeBytes { unsafe state.update(data: $0) }
      state.update(data: [index])
      write(state, to: &output, at: start)
    }

    private static func begun(_ key: Span<UInt8>) -> HMAC<SHA256> {
      HMAC<SHA256>(key: unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: $0) })
    }

    private static func write(_ state: HMAC<SHA256>, to output: inout MutableSpan<UInt8>, at start: Int) {
      for (index, byte) in state.finalize().enumerated() { output[start + index] = byte }
    }
  }

  /// Unkeyed hashing.
  package enum Digest {
    /// Computes SHA-256 (FIPS 180-4).
    ///
    /// - Returns: 32 bytes.
    /// - Complexity: O(*n*), one allocation.
    package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
      unsafe bytes.withUnsafeBytes { unsafe Array(SHA256.hash(data: $0)) }
    }
  }

  /// CryptoKit brings itself up.
  enum CryptoLibrary {
    /// Fills the first `count` bytes from the system's random number generator.
    static func randomize(_ bytes: inout MutableSpan<UInt8>, count: Int) {
      unsafe bytes.withUnsafeMutableBufferPointer { target in
        precondition(count > 0 && count <= target.count)
        unsafe arc4random_buf(target.baseAddress!, count)
      }
    }
  }
#endif
