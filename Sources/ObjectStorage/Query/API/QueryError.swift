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
