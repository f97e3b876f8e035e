/// A text with wildcards: `*` any characters, `?` one character, `\` takes the next one as it is.
///
/// Text is compared scalar by scalar in its folded form; a character is what a reader sees as one (a grapheme cluster).
struct LikePattern: Sendable {
  private enum Part: Sendable { case literal(Unicode.Scalar), one, any }
  private let parts: [Part]
  private let countsCharacters: Bool

  /// Pieces of text and the stars between them; nil when there is a `?`. `a*b` is `["a", "b"]`.
  let pieces: [[UInt8]]?

  init(_ pattern: String, _ options: StringOptions) {
    var parts: [Part] = []
    var pieces: [[UInt8]] = []
    var run = String.UnicodeScalarView()
    var countsCharacters = false

    func flush() {
      let folded = TextFolding.foldedString(String(run), options)
      parts.append(contentsOf: folded.unicodeScalars.map(Part.literal))
      pieces.append(Array(folded.utf8))
      run = String.UnicodeScalarView()
    }

    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\\": run.append(scalars.next() ?? scalar)
      case "*":
        flush()
        parts.append(.any)
      case "?":
        flush()
        parts.append(.one)
        countsCharacters = true
      default: run.append(scalar)
      }
    }
    flush()
    self.parts = parts
    self.pieces = countsCharacters ? nil : pieces
    self.countsCharacters = countsCharacters
  }

  /// - Parameter text: folded with the pattern's options.
  /// - Complexity: O(*n* · *m*): of the stars only the last one is ever tried again.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    let ends = countsCharacters ? Self.characterEnds(text, scalars.count) : []
    var position = 0
    var part = 0
    var retry: (part: Int, position: Int)?
    while true {
      if part < parts.count, case .any = parts[part] {
        part += 1
        retry = (part, position)
      } else if part < parts.count, case .one = parts[part], position < scalars.count {
        position = ends[position]
        part += 1
      } else if part < parts.count, case .literal(let scalar) = parts[part], position < scalars.count, scalars[position] == scalar {
        position += 1
        part += 1
      } else if part == parts.count, position == scalars.count {
        return true
      } else if let last = retry, last.position < scalars.count {
        position = last.position + 1
        part = last.part
        retry = (part, position)
      } else {
        return false
      }
    }
  }

  /// For each scalar, where the character that it belongs to ends.
  private static func characterEnds(_ text: String, _ count: Int) -> [Int] {
    var ends: [Int] = []
    ends.reserveCapacity(count)
    for character in text {
      let width = character.unicodeScalars.count
      ends.append(contentsOf: repeatElement(ends.count + width, count: width))
    }
    return ends
  }
}
