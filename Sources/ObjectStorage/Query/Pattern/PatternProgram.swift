/// A regular expression as a machine without memory: its states are instructions, of which several are active at once.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case any
    case oneOf(Int)
    case assertion(PatternAssertion)
    case split(Int, Int)
    case jump(Int)
    case accept
  }
  /// What a text may cost, for each scalar.
  static let instructionCountMax = 4096

  private(set) var instructions: [Instruction] = []
  private(set) var classes: [ScalarClass] = []
  private let options: StringOptions

  init(_ pattern: String, _ options: StringOptions) throws(PatternFailure) {
    self.options = options
    try append(try PatternParser.syntax(pattern))
    try emit(.accept)
  }

  private mutating func emit(_ instruction: Instruction) throws(PatternFailure) {
    guard instructions.count < Self.instructionCountMax else {
      throw PatternFailure(reason: "larger than \(Self.instructionCountMax) steps")
    }
    instructions.append(instruction)
  }

  private mutating func append(_ syntax: PatternSyntax) throws(PatternFailure) {
    switch syntax {
    case .empty: break
    case .any: try emit(.any)
    case .assertion(let assertion): try emit(.assertion(assertion))
    case .scalar(let scalar):
      for folded in TextFolding.foldedString(String(Character(scalar)), options).unicodeScalars { try emit(.scalar(folded)) }
    case .oneOf(var set):
      set.fold(options)
      try emit(.oneOf(classes.count))
      classes.append(set)
    case .sequence(let items): for item in items { try append(item) }
    case .alternation(let branches): try append(alternatives: branches)
    case .repetition(let body, let min, let max): try append(body, min: min, max: max)
    }
  }

  private mutating func append(alternatives branches: [PatternSyntax]) throws(PatternFailure) {
    var exits: [Int] = []
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let split = instructions.count
      if !isLast { try emit(.jump(0)) }
      try append(branch)
      if isLast { break }
      exits.append(instructions.count)
      try emit(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for exit in exits { instructions[exit] = .jump(instructions.count) }
  }

  private mutating func append(_ body: PatternSyntax, min: Int, max: Int?) throws(PatternFailure) {
    for _ in 0..<min {
      let start = instructions.count
      try append(body)
      // Nothing, however often.
      if instructions.count == start { return }
    }
    guard let max else {
      let split = instructions.count
      try emit(.jump(0))
      try append(body)
      try emit(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in min..<max {
      splits.append(instructions.count)
      try emit(.jump(0))
      try append(body)
      if instructions.count == splits[splits.count - 1] + 1 { break }
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}
