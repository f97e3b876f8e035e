import CSodium

/// Argon2id (RFC 9106), version 1.3, one lane.
package enum PassphraseStretching {
  /// What a file may ask for unless the caller allows more: as much as the smallest helper can give.
  package static let memoryByteCountMax = 16 << 20
  package static let passCountMax = 64
  package static let saltByteCount = 16

  /// Makes a key of a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: any bytes; wiping them is the caller's.
  ///   - salt: 16 bytes, public and random.
  ///   - memoryByteCount: at least 8,192, counted in whole KiB.
  ///   - passCount: at least 1.
  ///   - byteCount: of the key, `16...64`.
  ///   - memoryByteCountMax: what the caller allows.
  /// - Throws: before anything is allocated, if the parameters go over what is allowed.
  /// - Complexity: O(memory × passes): 4 MiB and 3 passes take about 6 ms.
  package static func argon2id(
    _ passphrase: Span<UInt8>, salt: Span<UInt8>, memoryByteCount: Int, passCount: Int, byteCount: Int = 32,
    memoryByteCountMax: Int = memoryByteCountMax
  ) throws(StretchingError) -> SecretBytes {
    precondition(byteCount >= 16 && byteCount <= 64)
    guard salt.count == saltByteCount, memoryByteCount >= 8192, passCount >= 1 else { throw .invalid }
    guard memoryByteCount <= memoryByteCountMax else {
      throw .tooMuchMemory(byteCount: memoryByteCount, limit: memoryByteCountMax)
    }
    guard passCount <= passCountMax else { throw .tooManyPasses(count: passCount, limit: passCountMax) }
    CryptoLibrary.require()
    var status: Int32 = -1
    let key = SecretBytes(count: byteCount) { target in
      unsafe target.withUnsafeMutableBufferPointer { target in
        unsafe passphrase.withSodiumAddress { text, textCount in
          unsafe salt.withSodiumAddress { salt, _ in
            unsafe text.withMemoryRebound(to: CChar.self, capacity: max(textCount, 1)) { text in
              status = unsafe crypto_pwhash(
                target.baseAddress!, UInt64(byteCount), text, UInt64(textCount), salt, UInt64(passCount), memoryByteCount,
                crypto_pwhash_ALG_ARGON2ID13)
            }
          }
        }
      }
    }
    guard status == 0 else { throw .outOfMemory(byteCount: memoryByteCount) }
    return key
  }
}
