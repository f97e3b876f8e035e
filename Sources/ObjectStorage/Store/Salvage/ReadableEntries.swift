import RawMemory
import StorageEngine

/// Walks the entries of a tree that may be damaged: what can't be reached or read is counted and passed over.
struct ReadableEntries {
  private let tree: Tree
  private var cursor: TreeCursor
  private var position: UInt64 = 0
  /// Not told yet.
  private var lost: (start: UInt64, count: UInt64, reason: String)?
  /// Gets the first position, the number of entries and the reason of each stretch.
  private let onLoss: (UInt64, UInt64, String) -> Void

  init(_ tree: Tree, onLoss: @escaping (UInt64, UInt64, String) -> Void) {
    self.tree = tree
    self.onLoss = onLoss
    cursor = tree.cursor()
  }

  /// - Parameter body: gets a key and its value; returns why the value is none, nil if it is one.
  mutating func forEach(_ body: ([UInt8], [UInt8]) throws(StorageError) -> String?) throws(StorageError) {
    while position < tree.count {
      if let (key, value) = try entry() {
        if let reason = try body(key, value) { lose(reason) } else { tell() }
      }
      position += 1
    }
    tell()
  }

  /// The position counts what is in a part that can't be read too: branches know how much is below them.
  private mutating func entry() throws(StorageError) -> (key: [UInt8], value: [UInt8])? {
    do throws(EngineError) {
      if position == 0 || lost != nil || !cursorIsBefore {
        cursor = tree.cursor()
        cursorIsBefore = false
        guard try cursor.seek(toPosition: position) else { return nil }
      } else {
        cursorIsBefore = false
        guard try cursor.next() else { return nil }
      }
      let value = try cursor.withValue { value throws(EngineError) in value.copied() }
      cursorIsBefore = true
      return (cursor.key, value)
    } catch {
      guard case .corrupted(let page, let reason) = error else { throw StorageError(error) }
      lose("page \(page) is damaged: \(reason)")
      return nil
    }
  }
  /// Whether the cursor stands at the entry before the position.
  private var cursorIsBefore = false

  private mutating func lose(_ reason: String) {
    if let known = lost { lost = (known.start, known.count + 1, known.reason) } else { lost = (position, 1, reason) }
  }
  private mutating func tell() {
    if let lost { onLoss(lost.start, lost.count, lost.reason) }
    lost = nil
  }
}
