import CSodium

/// HMAC-SHA-256. What a call knows of a key beyond its arguments is wiped before it returns.
enum HMACSHA256 {
  static let byteCount = 32

  /// Writes the code of `message` to the first 32 bytes of `output`. A key of any length, also none.
  static func authenticate(_ message: Span<UInt8>, key: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    unsafe output.withUnsafeMutableBufferPointer { target in
      precondition(target.count >= byteCount)
      unsafe withState(key: key) { state in
        unsafe message.withSodiumAddress { unsafe _ = crypto_auth_hmacsha256_update(state, $0, UInt64($1)) }
        unsafe _ = crypto_auth_hmacsha256_final(state, target.baseAddress!)
      }
    }
  }

  /// Writes block `index` (from 1) of an HKDF expansion to its place in `output`: the code of the block before it there, `info` and the
  /// index. Reading and writing the same memory keeps every block where the last one will be.
  static func expandBlock(_ index: UInt8, info: Span<UInt8>, key: Span<UInt8>, in output: inout MutableSpan<UInt8>) {
    unsafe output.withUnsafeMutableBufferPointer { target in
      let end = Int(index) * byteCount
      precondition(index > 0 && target.count >= end)
      let block = unsafe target.baseAddress! + (end - byteCount)
      unsafe withState(key: key) { state in
        if index > 1 { unsafe _ = crypto_auth_hmacsha256_update(state, block - byteCount, UInt64(byteCount)) }
        unsafe info.withSodiumAddress { unsafe _ = crypto_auth_hmacsha256_update(state, $0, UInt64($1)) }
        var suffix = index
        unsafe _ = crypto_auth_hmacsha256_update(state, &suffix, 1)
        unsafe _ = crypto_auth_hmacsha256_final(state, block)
      }
    }
  }

  private static func withState(key: Span<UInt8>, _ body: (UnsafeMutablePointer<crypto_auth_hmacsha256_state>) -> Void) {
    var state = crypto_auth_hmacsha256_state()
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe key.withSodiumAddress { unsafe _ = crypto_auth_hmacsha256_init(state, $0, $1) }
      unsafe body(state)
      unsafe sodium_memzero(state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    }
  }
}
