/// A regular expression as its tree.
indirect enum PatternSyntax: Sendable {
  case empty
  case scalar(Unicode.Scalar)
  /// Any scalar but a newline.
  case any
  case oneOf(ScalarClass)
  case assertion(PatternAssertion)
  case sequence([PatternSyntax])
  case alternation([PatternSyntax])
  case repetition(PatternSyntax, min: Int, max: Int?)
}

/// A condition about a place in the text, which takes no scalar.
enum PatternAssertion: Sendable { case start, end, wordBoundary, noWordBoundary }

/// Why a regular expression can't be used.
struct PatternFailure: Error, Equatable {
  let reason: String
}
