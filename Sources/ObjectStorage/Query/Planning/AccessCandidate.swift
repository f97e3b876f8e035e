/// One way to find the rows: a tree, the keys that the conditions leave of it, and which conditions that answers.
struct AccessCandidate {
  /// More combinations of values are left to the conditions.
  static let prefixCountMax = 1 << 16

  let tree: AccessPath.Tree
  let layout: KeyLayout
  /// Ascending.
  private(set) var ranges: [KeyRange] = []
  /// Conditions that the ranges answer.
  private(set) var answered: [Int] = []
  /// Columns held at one value, with its bytes.
  private(set) var constants: [UInt16: [UInt8]] = [:]
  private(set) var equalColumnCount = 0
  private(set) var hasRange = false
  /// Whether at most one row has such a key, for each range.
  private(set) var isUnique = false

  init(_ tree: AccessPath.Tree, _ layout: KeyLayout, _ filters: [BoundFilter], isUnique: Bool) {
    self.tree = tree
    self.layout = layout
    var prefixes: [[UInt8]] = [[]]
    var last = KeyRange.all
    for column in layout.columns {
      let bounds = ColumnBounds(column, filters)
      if let points = bounds.points, prefixes.count * max(points.values.count, 1) <= Self.prefixCountMax {
        prefixes = prefixes.flatMap { prefix in points.values.map { prefix + $0 } }
        if points.values.count == 1 { constants[column.id] = points.values[0] }
        answered.append(points.filter)
        equalColumnCount += 1
        continue
      }
      if !bounds.rangeFilters.isEmpty {
        last = bounds.range
        answered += bounds.rangeFilters
        hasRange = true
      }
      break
    }
    for prefix in prefixes {
      let upper = last.upper.map { prefix + $0 } ?? (prefix.isEmpty ? nil : KeyRange.successor(of: prefix))
      let range = KeyRange(lower: prefix + last.lower, upper: upper)
      if !range.isEmpty { ranges.append(range) }
    }
    self.isUnique = isUnique && equalColumnCount == layout.columns.count
  }

  /// How well it fits when nothing is known of the data.
  var rank: Int { isUnique ? 1_000 : equalColumnCount * 10 + (hasRange ? 5 : 0) }

  /// The columns that vary from key to key, in the order of the keys.
  var varyingColumns: [UInt16] { layout.columns.map(\.id).filter { constants[$0] == nil } }

  /// In which direction the keys come in the order asked for; nil when in none.
  func direction(for keys: [BoundKey], primaryKey: UInt16?) -> WalkDirection? {
    var wanted = keys.filter { key in key.columnID.map { constants[$0] == nil } ?? true }
    var tail: BoundKey?
    if tree != .rows, let last = wanted.last, let id = last.columnID, id == primaryKey, !varyingColumns.contains(id) {
      tail = last
      wanted.removeLast()
    }
    var columns = tree == .rows && wanted.isEmpty ? [] : varyingColumns
    // Behind the last column that is asked for, the key ascends as ties do.
    let ascendsAtEnd = tail == nil && wanted.allSatisfy(\.ascending)
    if tree != .rows, ascendsAtEnd, columns.count == wanted.count + 1, columns.last == primaryKey { columns.removeLast() }
    guard wanted.count == columns.count, zip(wanted, columns).allSatisfy({ $0.columnID == $1 }) else { return nil }
    let ascends = wanted.first?.ascending ?? tail?.ascending ?? true
    guard wanted.allSatisfy({ $0.ascending == ascends }) else { return nil }
    if ascends { return tail.map(\.ascending) ?? true ? .forward : nil }
    if tree == .rows || columns.contains(where: { $0 == primaryKey }) { return .backward(hasForwardTies: false) }
    return .backward(hasForwardTies: tail == nil)
  }
}

enum WalkDirection: Equatable {
  case forward
  case backward(hasForwardTies: Bool)
}
