/// What takes back the changes made inside `TransactionBox.nested`, in the order in which they were made.
///
/// A change of a few entries is undone by the bytes that were there: a savepoint of the engine would copy every page that they touch.
struct UndoLog {
  enum Step {
    /// An entry had this value, or wasn't there.
    case entry(tree: String, key: [UInt8], old: [UInt8]?)
    /// The engine has a savepoint from here on, which covers all later steps.
    case savepoint
  }
  private(set) var steps: [Step] = []
  /// How many `nested` there are around the next change.
  var depth = 0

  var isNeeded: Bool { depth > 0 }

  mutating func add(_ step: Step) { if isNeeded { steps.append(step) } }

  /// How many savepoints of the engine were made from a step on; the steps from the first of them are forgotten.
  mutating func dropSavepoints(from start: Int) -> Int {
    var count = 0
    var first: Int?
    for index in start..<steps.count {
      if case .savepoint = steps[index] {
        count += 1
        first = first ?? index
      }
    }
    if let first { steps.removeLast(steps.count - first) }
    return count
  }

  mutating func popLast(downTo start: Int) -> Step? { steps.count > start ? steps.removeLast() : nil }
  mutating func removeAll() { steps.removeAll(keepingCapacity: true) }
}
