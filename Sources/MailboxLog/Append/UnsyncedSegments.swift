/// Which segments a handle has appended to since they were synced, and when last, counted in its appends.
///
/// The newest is kept beside the array: a process that appends once would have to make the array's type for it, which costs it more
/// than the append.
struct UnsyncedSegments {
  struct Append: Equatable {
    let segment: SegmentNumber
    var ordinal: UInt64
  }

  private var newest: Append?
  private var others: [Append] = []
  private var count: UInt64 = 0

  /// Each segment once, with its last append.
  var all: [Append] { if let newest { others + [newest] } else { others } }

  /// Notes an append to a segment.
  mutating func note(_ segment: SegmentNumber) {
    count += 1
    if let newest, newest.segment != segment {
      others.removeAll { $0.segment == segment }
      others.append(newest)
    }
    newest = Append(segment: segment, ordinal: count)
  }

  /// Forgets a segment, unless there was another append to it since `append` was.
  mutating func remove(_ append: Append) {
    if newest == append { newest = nil }
    others.removeAll { $0 == append }
  }
}
