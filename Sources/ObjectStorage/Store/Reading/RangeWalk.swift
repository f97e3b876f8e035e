import RawMemory
import StorageEngine

/// Walks the ranges of an access path in its order.
struct RangeWalk {
  private let tree: Tree
  private let path: AccessPath

  init(_ tree: Tree, _ path: AccessPath) {
    self.tree = tree
    self.path = path
  }

  /// Calls `body` at each entry, with where the row's key begins in its own if that is known, until it returns false.
  func run(_ body: (inout TreeCursor, Int?) throws(StorageError) -> Bool) throws(StorageError) {
    for range in path.ranges {
      let goesOn =
        !path.isBackward
        ? try forwards(range, body) : path.hasForwardTies ? try backwardsByGroups(range, body) : try backwards(range, body)
      if !goesOn { return }
    }
  }

  private func forwards(
    _ range: KeyRange, _ body: (inout TreeCursor, Int?) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    var cursor = tree.cursor()
    var isThere = try storing { () throws(EngineError) in try cursor.seek(to: range.lower.span.raw) }
    while isThere {
      if let upper = range.upper, cursor.compareKey(with: upper.span.raw) >= 0 { return true }
      if !(try body(&cursor, nil)) { return false }
      if Task.isCancelled { throw .cancelled }
      isThere = try storing { () throws(EngineError) in try cursor.next() }
    }
    return true
  }

  /// Calls `body` with each value, forwards, until it returns false.
  func forEachValue(_ body: (RawSpan) throws(StorageError) -> Bool) throws(StorageError) {
    for range in path.ranges {
      var cursor = tree.cursor()
      var isThere = try storing { () throws(EngineError) in try cursor.seek(to: range.lower.span.raw) }
      var goesOn = true
      while isThere, goesOn {
        if Task.isCancelled { throw .cancelled }
        var failure: StorageError?
        isThere = try storing { () throws(EngineError) in
          try cursor.forEachValueInLeaf(below: range.upper) { value in
            do throws(StorageError) { goesOn = try body(value) } catch {
              failure = error
              goesOn = false
            }
            return goesOn
          }
        }
        if let failure { throw failure }
      }
      if !goesOn { return }
    }
  }

  private func seekToEnd(_ cursor: inout TreeCursor, _ range: KeyRange) throws(StorageError) -> Bool {
    let upper = range.upper
    return try storing { () throws(EngineError) in
      if let upper { return try cursor.seek(before: upper.span.raw) }
      return try cursor.last()
    }
  }

  private func backwards(
    _ range: KeyRange, _ body: (inout TreeCursor, Int?) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    var cursor = tree.cursor()
    var isThere = try seekToEnd(&cursor, range)
    while isThere, cursor.compareKey(with: range.lower.span.raw) >= 0 {
      if !(try body(&cursor, nil)) { return false }
      if Task.isCancelled { throw .cancelled }
      isThere = try storing { () throws(EngineError) in try cursor.previous() }
    }
    return true
  }

  /// Backwards, but entries that differ in their row's key only come forwards: ties are in key order, whatever the direction.
  private func backwardsByGroups(
    _ range: KeyRange, _ body: (inout TreeCursor, Int?) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    var cursor = tree.cursor()
    var isThere = try seekToEnd(&cursor, range)
    while isThere, cursor.compareKey(with: range.lower.span.raw) >= 0 {
      if Task.isCancelled { throw .cancelled }
      let key = cursor.keyView()
      let groupByteCount = try readingRow { () throws(RowError) in try path.layout.rowKeyOffset(in: key.bytes(0..<key.count)) }
      if cursor.precedingBeginsAlike(groupByteCount) == false {
        // Alone in its group, as most are.
        if !(try body(&cursor, groupByteCount)) { return false }
        isThere = try storing { () throws(EngineError) in try cursor.previous() }
        continue
      }
      let last = cursor.key
      let group = Array(last[..<groupByteCount])
      var front = cursor
      let hasFront = try storing { () throws(EngineError) in try front.previous() }
      guard hasFront, try isMember(&front, of: group) else {
        if !(try body(&cursor, nil)) { return false }
        cursor = front
        isThere = hasFront
        continue
      }
      var member = tree.cursor()
      var isMember = try storing { () throws(EngineError) in try member.seek(to: group.span.raw) }
      while isMember, member.compareKey(with: last.span.raw) <= 0 {
        if member.compareKey(with: range.lower.span.raw) >= 0, !(try body(&member, nil)) { return false }
        isMember = try storing { () throws(EngineError) in try member.next() }
      }
      isThere = try storing { () throws(EngineError) in try cursor.seek(before: group.span.raw) }
    }
    return true
  }

  private func isMember(_ cursor: inout TreeCursor, of group: [UInt8]) throws(StorageError) -> Bool {
    cursor.withKey { key in key.byteCount >= group.count && key.extracting(first: group.count).equals(group.span.raw) }
  }
}
