import RawMemory

/// An operand of a bound condition: where its value comes from.
indirect enum BoundValue: Sendable {
  case column(ColumnPath)
  /// Of a closure around: 0 is the outermost.
  case element(Int)
  case literal(StoredValue)
  case condition(any PredicateNode)
  /// A property of an embedded struct.
  case field(BoundValue, String)
  /// A property of every element.
  case fieldOfEach(BoundValue, String)
  case mapValue(BoundValue, String)
  case mapKeys(BoundValue)
  case mapValues(BoundValue)
  case filter(BoundValue, any PredicateNode)
  case measure(BoundMeasure, BoundValue)
}

/// What is computed of a collection, of values of one kind.
struct BoundMeasure: Sendable {
  let measure: QueryMeasure
  let kind: ColumnKind
  /// As it is printed, for an error.
  let part: String

  func result(_ items: [StoredValue]) throws(QueryError) -> StoredValue {
    switch measure {
    case .count: return .int(Int64(items.count))
    case .isEmpty: return .bool(items.isEmpty)
    case .sum:
      var sum = SumAccumulator(kind: kind, part: part)
      for item in items { try sum.add(item) }
      return sum.result
    case .avg:
      var average = AverageAccumulator(kind: kind)
      for item in items { average.add(item) }
      return average.result
    case .min, .max:
      var extremum = ExtremumAccumulator(isMaximum: measure == .max)
      for item in items { extremum.add(item) }
      return extremum.result
    }
  }
}

extension BoundValue {
  /// The one value; of an operand with many, use `values`.
  func value(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> StoredValue {
    switch self {
    case .column(let path): return try path.value(in: row)
    case .element(let index): return elements[index]
    case .literal(let value): return value
    case .condition(let node): return .bool(try node.matches(row, elements))
    case .field(let base, let name): return try base.value(row, elements).field(name)
    case .mapValue(let base, let key): return try base.value(row, elements).mapValue(key)
    case .measure(let measure, let base):
      let items = try base.items(row, elements)
      do throws(QueryError) {
        return try measure.result(items)
      } catch {
        throw .query(error)
      }
    case .fieldOfEach, .mapKeys, .mapValues, .filter: return .list(try values(row, elements))
    }
  }

  /// Every value that the operand stands for, one after another.
  func values(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> [StoredValue] {
    switch self {
    case .fieldOfEach(let base, let name): return try base.items(row, elements).map { $0.field(name) }
    case .field(let base, let name): return try base.values(row, elements).map { $0.field(name) }
    case .mapValue(let base, let key): return try base.values(row, elements).map { $0.mapValue(key) }
    default: return [try value(row, elements)]
    }
  }

  /// The elements of the collection that the operand is, or of all that it stands for.
  func items(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> [StoredValue] {
    switch self {
    case .mapKeys(let base): return try base.entries(row, elements).map { .string($0.name) }
    case .mapValues(let base): return try base.entries(row, elements).map(\.value)
    case .filter(let base, let node):
      var kept: [StoredValue] = []
      for item in try base.items(row, elements) { if try node.matches(row, elements + [item]) { kept.append(item) } }
      return kept
    default: break
    }
    var items: [StoredValue] = []
    for value in try values(row, elements) {
      switch value {
      case .list(let elements): items += elements
      case .map(let entries): items += entries.map(\.value)
      case .null where isCollection: break
      default: items.append(value)
      }
    }
    return items
  }

  private func entries(_ row: RawSpan, _ elements: [StoredValue]) throws(EvaluationError) -> [StoredValue.Entry] {
    var entries: [StoredValue.Entry] = []
    for value in try values(row, elements) { if case .map(let pairs) = value { entries += pairs } }
    return entries
  }

  /// An optional struct on the way that is nil has no elements, whereas a nil of each element counts as one.
  private var isCollection: Bool { if case .fieldOfEach = self { false } else { true } }
}
