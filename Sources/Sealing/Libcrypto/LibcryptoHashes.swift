import CLibcrypto

/// HMAC-SHA-256.
enum HMACSHA256 {
  static let byteCount = 32

  /// Writes the code of `message` to the first 32 bytes of `output`. A key of any length, also none.
  static func authenticate(_ message: Span<UInt8>, key: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    unsafe output.withUnsafeMutableBufferPointer { target in
      precondition(target.count >= byteCount)
      unsafe message.withAddress { message, count in unsafe code(of: message, count, key, target.baseAddress!) }
    }
  }

  /// Writes block `index` (from 1) of an HKDF expansion to its place in `output`: the code of the block before it there, `info` and the
  /// index.
  static func expandBlock(_ index: UInt8, info: Span<UInt8>, key: Span<UInt8>, in output: inout MutableSpan<UInt8>) {
    unsafe output.withUnsafeMutableBufferPointer { target in
      let end = Int(index) * byteCount
      precondition(index > 0 && target.count >= end)
      let kept = index > 1 ? byteCount : 0
      let count = kept + info.count + 1
      let message = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      defer {
        unsafe GuardedMemory.wipe(message, count)
        unsafe message.deallocate()
      }
      for place in 0..<kept { unsafe message[place] = target[end - 2 * byteCount + place] }
      for place in info.indices { unsafe message[kept + place] = info[place] }
      unsafe message[count - 1] = index
      unsafe code(of: message, count, key, target.baseAddress! + (end - byteCount))
    }
  }

  private static func code(
    of message: UnsafePointer<UInt8>, _ count: Int, _ key: Span<UInt8>, _ target: UnsafeMutablePointer<UInt8>
  ) {
    var length: UInt32 = 0
    let code = unsafe key.withAddress { unsafe HMAC(EVP_sha256(), $0, Int32($1), message, count, target, &length) }
    precondition(unsafe code != nil && length == UInt32(byteCount), "libcrypto refused a call")
  }
}

/// Unkeyed hashing.
package enum Digest {
  /// Computes SHA-256 (FIPS 180-4).
  package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withAddress { unsafe _ = SHA256($0, $1, &digest) }
    return digest
  }
}

/// libcrypto brings itself up.
enum CryptoLibrary {
  /// Fills the first `count` bytes from the library's random number generator.
  static func randomize(_ bytes: inout MutableSpan<UInt8>, count: Int) {
    unsafe bytes.withUnsafeMutableBufferPointer { target in
      precondition(count > 0 && count <= target.count)
      guard unsafe RAND_bytes(target.baseAddress!, Int32(count)) == 1 else { fatalError("libcrypto finds no random numbers") }
    }
  }
}

extension Span where Element == UInt8 {
  /// An address even for no bytes.
  func withAddress<R>(_ body: (UnsafePointer<UInt8>, Int) -> R) -> R {
    unsafe withUnsafeBufferPointer { bytes in
      if let address = bytes.baseAddress { return unsafe body(address, bytes.count) }
      var none: UInt8 = 0
      return unsafe body(&none, 0)
    }
  }
}
