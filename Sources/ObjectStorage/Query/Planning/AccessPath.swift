/// Which keys of which tree are walked, and in which direction.
package struct AccessPath: Sendable {
  package enum Tree: Sendable, Equatable {
    /// The type's rows: the key is the row's key, the value the row.
    case rows
    /// An index: the key is its columns and the row's key, the value is empty.
    case index(IndexSchema)
  }
  package let tree: Tree
  /// In walking order; no two overlap. None when nothing can match.
  package var ranges: [KeyRange]
  /// Walk each range from its end.
  package let isBackward: Bool
  /// Walking backwards, keys that are the same up to their row's key still come in ascending order: seek the group's first key,
  /// walk it forwards, then go on in front of it. Ties stay in key order that way.
  package let hasForwardTies: Bool
  /// Of the tree's keys.
  package let layout: KeyLayout
}
