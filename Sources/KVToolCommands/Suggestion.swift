/// The 'did you mean' of a mistyped name.
enum Suggestion {
  /// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
        row.append(best)
      }
      (beforePrevious, previous) = (previous, row)
    }
    return previous[b.count]
  }

  /// The nearest of the names, when it is near: up to a third of the letters wrong, or one that begins like it.
  static func nearest(to word: String, among names: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let ranked = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    if let ranked, ranked.distance <= max(1, word.utf8.count / 3) { return ranked.name }
    return word.utf8.count >= 2 ? names.first { $0.hasPrefix(word) } : nil
  }

  /// `; did you mean …?`, or nothing.
  static func clause(for word: String, among names: [String]) -> String {
    nearest(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }
}
