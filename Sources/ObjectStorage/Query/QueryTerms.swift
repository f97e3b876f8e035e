import Synchronization

/// The terms of a conjunction or a disjunction: a value to which one more is added in constant time, on either side.
///
/// A loop that builds a condition makes a value a round, each one term longer than the last, which it still holds while it makes the next.
/// So they share their terms, and each remembers how many are its own. Whoever adds to the longest one only appends to what is shared;
/// whoever adds to a shorter one copies.
package struct QueryTerms: Sendable {
  private final class Buffer: Sendable {
    private let terms: Mutex<[QueryExpression]>

    init(_ terms: [QueryExpression]) { self.terms = Mutex(terms) }

    func prefix(_ count: Int) -> [QueryExpression] { terms.withLock { Array($0.prefix(count)) } }

    /// Makes room behind the first so many. - Returns: false when others have put terms there.
    func append(_ more: [QueryExpression], at count: Int) -> Bool {
      terms.withLock { terms in
        guard terms.count == count else { return false }
        terms += more
        return true
      }
    }
  }
  /// Half of the terms, in an order in which it grows at its end.
  private struct Side: Sendable {
    private var buffer: Buffer
    private(set) var count: Int
    /// Terms that were put elsewhere to make room for others.
    private(set) var movedCount = 0

    init(_ terms: [QueryExpression]) {
      buffer = Buffer(terms)
      count = terms.count
    }

    var terms: [QueryExpression] { buffer.prefix(count) }

    mutating func append(_ more: [QueryExpression]) {
      if !buffer.append(more, at: count) {
        movedCount += count
        buffer = Buffer(terms + more)
      }
      count += more.count
    }
  }
  /// The last one first.
  private var front: Side
  private var back: Side

  package init(_ terms: [QueryExpression]) {
    front = Side([])
    back = Side(terms)
  }

  package var count: Int { front.count + back.count }
  /// How many terms were copied on the way to this value, beside those of the shorter one each time.
  package var movedCount: Int { front.movedCount + back.movedCount }
  package var array: [QueryExpression] { front.terms.reversed() + back.terms }

  /// Costs as many steps as the shorter of the two has terms.
  package static func joined(_ a: QueryTerms, _ b: QueryTerms) -> QueryTerms {
    var longer = a.count >= b.count ? a : b
    if a.count >= b.count { longer.back.append(b.array) } else { longer.front.append(a.array.reversed()) }
    return longer
  }
}

extension QueryTerms: Sequence {
  package func makeIterator() -> IndexingIterator<[QueryExpression]> { array.makeIterator() }
}

extension QueryTerms: Equatable {
  package static func == (a: QueryTerms, b: QueryTerms) -> Bool { a.count == b.count && a.array == b.array }
}
