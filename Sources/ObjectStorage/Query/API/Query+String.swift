/// Not part of the API: String and String?.
public protocol _PersistedText: PersistableValue {}
extension String: _PersistedText {}
extension Optional: _PersistedText where Wrapped == String {}

// Of a nil every one of these is false.
extension Query where Value: _PersistedText {
  /// The same text, under the options.
  public func equals(_ text: String, options: StringOptions) -> Query<Bool> { asked(.equals, text, options) }
  /// Has the text somewhere in it; of an empty one, always.
  public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
    if options.isEmpty { return Query<Bool>(.contains(expression, .string(text))) }
    return asked(.contains, text, options)
  }
  /// Begins with the text.
  public func starts(with text: String, options: StringOptions = []) -> Query<Bool> { asked(.starts, text, options) }
  /// Ends with the text.
  public func ends(with text: String, options: StringOptions = []) -> Query<Bool> { asked(.ends, text, options) }
  /// The whole text fits: `*` any characters, `?` one character, `\\` takes the next one as it is.
  public func like(_ pattern: String, options: StringOptions = []) -> Query<Bool> { asked(.like, pattern, options) }
  /// The whole text matches a regular expression without back-references, in time linear in the text; `.*` around it searches.
  ///
  /// Literals, `.`, classes, `\d \w \s`, `^ $ \b`, groups, `|`, `* + ? {m,n}`. A bad one is `QueryError.invalidPattern`.
  public func matches(_ pattern: String, options: StringOptions = []) -> Query<Bool> { asked(.matches, pattern, options) }

  private func asked(_ test: QueryTextTest, _ text: String, _ options: StringOptions) -> Query<Bool> {
    Query<Bool>(.text(test, expression, text, StringOptions(rawValue: options.rawValue & 3)))
  }
}
