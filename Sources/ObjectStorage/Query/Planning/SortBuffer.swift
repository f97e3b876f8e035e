/// Keeps the rows that come first in an order.
struct SortBuffer {
  private let countMax: Int?
  private var items: [RowPipeline.Item] = []
  /// What doesn't come before it can't be among the first.
  private(set) var bound: [UInt8]?

  /// - Parameter countMax: how many are wanted; nil is all of them.
  init(countMax: Int?) { self.countMax = countMax }

  func takes(_ place: [UInt8]) -> Bool { bound.map { KeyRange.precedes(place, $0) } ?? true }

  /// - Complexity: O(log *k*) amortized, of *k* rows wanted.
  mutating func add(_ item: RowPipeline.Item) {
    items.append(item)
    guard let countMax, items.count >= 256, items.count / 2 >= countMax else { return }
    cut(countMax)
  }

  private mutating func cut(_ count: Int) {
    items.sort { KeyRange.precedes($0.place, $1.place) }
    if items.count > count { items.removeLast(items.count - count) }
    if items.count == count { bound = items.last?.place }
  }

  mutating func finish() -> [RowPipeline.Item] {
    cut(countMax ?? items.count)
    return items
  }
}
