/// What was found unreadable. The records outside `badRanges` are all good.
public struct DamageReport: Sendable {
  /// Ranges of bytes of the file, ascending.
  public internal(set) var badRanges: [Range<UInt64>] = []
  /// Good records among what was looked at.
  public internal(set) var goodRecordCount = 0
  /// Of the file.
  public internal(set) var path = ""
  /// Whether nothing is wrong.
  public var isEmpty: Bool { badRanges.isEmpty }
}
