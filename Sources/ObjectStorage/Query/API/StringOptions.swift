/// How text is compared: by Unicode's folding, in every script.
///
/// Case folds fully: `ß` equals `ss`, and `İ` is `i` with a dot above, which `i` alone doesn't equal. Diacritics are the accents,
/// points and vowel marks that Unicode calls so; what makes another letter of an Indic or a kana letter stays.
public struct StringOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int
  /// Options from bits; unknown ones mean nothing.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Upper and lower case are the same.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Letters are the same with and without accents.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
