#if DEBUG
  @testable import StorageIO

  /// A finished run, from which the state of the disk after each of its events can be had without running it again.
  ///
  /// Images are cheapest in ascending order: one step each. Going back starts from a checkpoint. For one thread at a time.
  package final class KernelHistory {
    package let events: [KernelEvent]
    package let marks: [KernelMark]
    private let settings: KernelSettings
    private var checkpoints: [Durability]
    private var current: Durability
    private var position = 0

    private static let checkpointPeriod = 512

    init(_ start: Durability, _ events: [KernelEvent], _ marks: [KernelMark], _ settings: KernelSettings) {
      self.events = events
      self.marks = marks
      self.settings = settings
      checkpoints = [start]
      current = start
    }

    /// How many events there are; an image can be made after 0, 1, … `count` of them.
    package var count: Int { events.count }

    /// The machine after a power failure that came when `position` events had happened.
    package func image(after position: Int, _ choice: CrashChoice) -> CrashKernel {
      seek(position)
      return CrashKernel(current.image(choice), settings.nextBoot)
    }

    /// The machine after a power failure in the middle of the write that is the event at `position`: all before it is there, and so many of its
    /// bytes. - Returns: nil where that event is no write, or a shorter one.
    package func image(tearing position: Int, at byteCount: Int) -> CrashKernel? {
      guard case .operation(.write(let inode, let offset, let bytes)) = events[position], byteCount < bytes.count else {
        return nil
      }
      seek(position)
      var torn = current
      torn.apply(.operation(.write(inode: inode, offset: offset, bytes: Array(bytes[..<byteCount]))))
      return CrashKernel(torn.image(.everything), settings.nextBoot)
    }

    /// How many operations were not durable then: the choices of a prefix are 0 up to this.
    package func pendingCount(after position: Int) -> Int {
      seek(position)
      return current.pendingCount
    }

    /// What had been said before the event at `position`: what must hold in every image after as many events.
    package func marks(upTo position: Int) -> [KernelMark] { marks.filter { $0.position <= position } }

    private func seek(_ target: Int) {
      precondition(target >= 0 && target <= events.count)
      let nearest = min(target / Self.checkpointPeriod, checkpoints.count - 1)
      if target < position || nearest * Self.checkpointPeriod > position {
        current = checkpoints[nearest]
        position = nearest * Self.checkpointPeriod
      }
      while position < target {
        current.apply(events[position])
        position += 1
        if position == checkpoints.count * Self.checkpointPeriod { checkpoints.append(current) }
      }
    }
  }
#endif
