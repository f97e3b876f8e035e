/// Runs a program over a text, all of its active states at once, so that no text takes longer than its length times the
/// program's.
struct PatternMatcher {
  private let program: PatternProgram
  private var current: [Int] = []
  private var following: [Int] = []
  /// For each instruction, the position at which it was last made active, plus one.
  private var marks: [Int]
  private var pending: [Int] = []

  /// Whether the whole text matches. - Parameter text: folded with the program's options.
  static func matches(_ program: PatternProgram, _ text: some Sequence<Unicode.Scalar>) -> Bool {
    var matcher = PatternMatcher(program)
    return matcher.run(text)
  }

  private init(_ program: PatternProgram) {
    self.program = program
    marks = [Int](repeating: 0, count: program.instructions.count)
  }

  private mutating func run(_ text: some Sequence<Unicode.Scalar>) -> Bool {
    var iterator = text.makeIterator()
    var previous: Unicode.Scalar?
    var next = iterator.next()
    var position = 1
    var accepts = activate(0, position, previous, next)
    swap(&current, &following)
    while let scalar = next {
      if current.isEmpty { return false }
      previous = scalar
      next = iterator.next()
      position += 1
      accepts = false
      for index in current where takes(scalar, index) {
        if activate(index + 1, position, previous, next) { accepts = true }
      }
      swap(&current, &following)
      following.removeAll(keepingCapacity: true)
    }
    return accepts
  }

  private func takes(_ scalar: Unicode.Scalar, _ index: Int) -> Bool {
    switch program.instructions[index] {
    case .scalar(let expected): scalar == expected
    case .any: scalar != "\n"
    case .oneOf(let set): program.classes[set].contains(scalar)
    default: false
    }
  }

  /// Follows what takes no scalar. - Returns: whether the end of the program was reached.
  private mutating func activate(
    _ start: Int, _ position: Int, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
  ) -> Bool {
    var accepts = false
    pending.append(start)
    while let index = pending.popLast() {
      if marks[index] == position { continue }
      marks[index] = position
      switch program.instructions[index] {
      case .jump(let target): pending.append(target)
      case .split(let a, let b):
        pending.append(b)
        pending.append(a)
      case .assertion(let assertion): if Self.holds(assertion, previous, next) { pending.append(index + 1) }
      case .accept: accepts = true
      case .scalar, .any, .oneOf: following.append(index)
      }
    }
    return accepts
  }

  private static func holds(_ assertion: PatternAssertion, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    let before = previous.map { ScalarClass.belongs($0, to: .word) } ?? false
    let after = next.map { ScalarClass.belongs($0, to: .word) } ?? false
    return switch assertion {
    case .start: previous == nil
    case .end: next == nil
    case .wordBoundary: before != after
    case .noWordBoundary: before == after
    }
  }
}
