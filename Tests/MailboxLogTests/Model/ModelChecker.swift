/// Walks all interleavings of the model, breadth first, each state once. Any process may be killed between any two steps, and may stop
/// for as long as it likes: that is an interleaving like others.
struct ModelChecker {
  let rules: ModelRules
  let start: ModelState
  private(set) var stateCount = 0

  init(_ rules: ModelRules, writers: [UInt8], readers: Int) {
    self.rules = rules
    start = ModelState(writers: writers, readers: readers)
  }

  mutating func run() throws(ModelViolation) {
    var seen: Set<ModelState.Key> = [start.key]
    var frontier = [start.key]
    var next: [ModelState.Key] = []
    while !frontier.isEmpty {
      for key in frontier {
        let state = ModelState(key)
        try forEachSuccessor(of: state) { successor in
          let key = successor.key
          if seen.insert(key).inserted { next.append(key) }
        }
      }
      swap(&frontier, &next)
      next.removeAll(keepingCapacity: true)
    }
    stateCount = seen.count
  }

  private func forEachSuccessor(of state: ModelState, _ body: (ModelState) -> Void) throws(ModelViolation) {
    var isOver = true
    for index in 0..<2 where state.writers[index].step != .done {
      isOver = false
      var after = state
      try step(writer: index, of: &after)
      body(after)
      after = state
      if after.writers[index].holdsLock { after.segments[Int(after.writers[index].segment)].isLocked = false }
      after.writers[index] = ModelWriter()
      after.hasKilled = true
      body(after)
    }
    for index in 0..<2 where state.readers[index].step != .done {
      isOver = false
      for choice in 0..<(state.readers[index].step == .deliver ? 3 : 1) {
        var after = state
        if try step(reader: index, choice, of: &after) { body(after) }
      }
      var after = state
      if after.readers[index].holdsLock { after.segments[Int(after.readers[index].segment)].isLocked = false }
      after.readers[index] = ModelReader()
      after.hasKilled = true
      body(after)
    }
    if isOver { try checkEnd(state) }
  }

  private func step(writer index: Int, of state: inout ModelState) throws(ModelViolation) {
    let writer = state.writers[index]
    guard let action = writer.action(rules) else { return }
    let result = try state.segments[Int(writer.segment)].apply(action)
    try state.writers[index].advance(result, rules)
  }

  /// - Parameter choice: which of the delivered entries it acknowledges: all, the first, the last.
  /// - Returns: false when the choice makes no difference.
  @discardableResult
  private func step(reader index: Int, _ choice: Int, of state: inout ModelState) throws(ModelViolation) -> Bool {
    let reader = state.readers[index]
    guard let action = reader.action(rules) else { return false }
    let segment = Int(reader.segment)
    let result = try state.segments[segment].apply(action)
    var chosen: UInt8 = 0
    if reader.step == .deliver {
      if choice > 0, result != 3 { return false }
      chosen = choice == 0 ? result : choice == 1 ? result & 1 : result & 2
      state.segments[segment].asked |= chosen
    }
    state.readers[index].advance(result, chosen: chosen, rules)
    // What has been acknowledged before it looks at the words.
    if state.readers[index].step == .consumed { state.readers[index].known = state.segments[segment].returned }
    return true
  }

  /// Whoever was killed: a reader that comes afterwards gets what nobody acknowledged, and leaves nothing behind.
  private func checkEnd(_ state: ModelState) throws(ModelViolation) {
    if !state.hasKilled {
      for segment in state.segments where segment.asked == ModelSegment.prefix(segment.committed) {
        if segment.consumed < segment.committed { throw .stuck }
      }
    }
    var after = state
    for _ in 0..<2 {
      after.readers[0] = ModelReader(isStarted: true)
      while after.readers[0].step != .done { try step(reader: 0, 0, of: &after) }
    }
    for segment in after.segments {
      if segment.asked != ModelSegment.prefix(segment.committed) || segment.consumed < segment.committed { throw .lost }
      if segment.committed > 0, segment.isLinked { throw .stuck }
    }
  }
}
