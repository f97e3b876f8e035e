/// Why a push can't be opened or made.
public enum PushError: Error, Equatable, Sendable {
  /// The line isn't Base64, or too short to hold a nonce and a tag.
  case notAPush
  /// Sealed with another key, or altered on the way.
  case notAuthentic
  case malformed(offset: Int, reason: String)
  case missingField(name: String)
  case invalidKeyLength(actual: Int)
  case sodiumUnavailable
}

extension PushError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .notAPush: "the line is not a sealed push"
    case .notAuthentic: "the push was sealed with another key or altered"
    case .malformed(let offset, let reason): "not a message, at byte \(offset): \(reason)"
    case .missingField(let name): "the message has no \(name)"
    case .invalidKeyLength(let actual): "a push key has 32 bytes, not \(actual)"
    case .sodiumUnavailable: "libsodium can't be initialized"
    }
  }
}
