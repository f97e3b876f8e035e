import RawMemory

/// What a write adds, while it is built: frames, which keys they change, and by how much what is live changes. Without frames nothing is written.
/// Used for one write after the other.
final class LogAddition {
  let frames: FrameBuilder
  private(set) var changes: [OpenLog.Change] = []
  var liveChange: Int64 = 0
  /// All that was live before is dead.
  var clears = false
  private static let keptChangeCountMax = 256

  init(isSealed: Bool) { frames = FrameBuilder(isSealed: isSealed) }

  func reset() {
    frames.reset()
    if changes.capacity > Self.keptChangeCountMax { changes = [] } else { changes.removeAll(keepingCapacity: true) }
    (liveChange, clears) = (0, false)
  }

  /// Notes that a key's newest record is the one that begins behind `position` bytes of frames.
  func change(_ tag: UInt64, from before: UInt64?, at position: Int) {
    changes.append(OpenLog.Change(tag: tag, before: before, position: position))
  }
}
