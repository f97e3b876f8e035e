/// Why a passphrase was not stretched into a key.
package enum StretchingError: Error, Equatable, Sendable {
  /// The parameters, which a file names, ask for more than the caller allows: refused before anything is allocated.
  case tooMuchMemory(byteCount: Int, limit: Int)
  case tooManyPasses(count: Int, limit: Int)
  /// No computation has such parameters: less than 8,192 bytes, no pass, or a salt of another length than 16.
  case invalid
  case outOfMemory(byteCount: Int)
  /// What this build seals with has no Argon2id.
  case unavailable
}
