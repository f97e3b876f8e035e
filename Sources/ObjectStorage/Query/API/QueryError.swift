/// A query that can't be run, found before anything is read.
///
/// `part` is the part at fault, as `DatabaseQuery.description` prints it.
public enum QueryError: Error, Equatable, Sendable {
  /// The text isn't a query: `offset` is in bytes of its UTF-8 form, `expected` what could have stood there.
  case syntax(text: String, offset: Int, expected: String)
  /// The store has no type of that name.
  case unknownType(name: String)
  /// The type has no property of that name.
  case unknownProperty(name: String, type: String)
  /// The part is of another type than what it is used for.
  case typeMismatch(part: String, expected: String, actual: String)
  /// The part is understood, but can't be run.
  case unsupported(part: String, reason: String)
  /// The regular expression can't be read, or is too large.
  case invalidPattern(part: String, reason: String)
  /// A search for words in a property that isn't `@Persisted(fullText: true)`.
  case notFullText(part: String)
  /// The key path isn't one stored property (a computed one, say).
  case notAProperty(part: String)
  /// The cursor is a place in the results of another query.
  case foreignCursor
  /// The sum of integers left their range.
  case overflow(part: String)
}

extension QueryError {
  /// Conditions inside each other: what walks a query's tree calls itself as often.
  static let depthMax = 256
  static var tooDeep: QueryError {
    .unsupported(part: "…", reason: "more than \(depthMax) conditions inside each other")
  }
}

extension QueryError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .syntax(let text, let offset, let expected): "at byte \(offset) of '\(text)': \(expected) is missing"
    case .unknownType(let name): "the store has no type '\(name)'"
    case .unknownProperty(let name, let type): "\(type) has no property '\(name)'"
    case .typeMismatch(let part, let expected, let actual): "'\(part)' is \(actual), and \(expected) is needed there"
    case .unsupported(let part, let reason): "'\(part)' can't be run: \(reason)"
    case .invalidPattern(let part, let reason): "the pattern in '\(part)' can't be used: \(reason)"
    case .notFullText(let part): "'\(part)' searches for words in a property without full text"
    case .notAProperty(let part): "'\(part)' isn't one stored property"
    case .foreignCursor: "the cursor is a place in the results of another query"
    case .overflow(let part): "the sum in '\(part)' is beyond the range of its type"
    }
  }
}
