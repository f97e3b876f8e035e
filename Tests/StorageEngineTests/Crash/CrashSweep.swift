#if DEBUG
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  /// Opens the store of a scene as it would be found if power had failed, at many moments of the recorded run.
  struct CrashSweep {
    let scene: CrashScene
    let history: KernelHistory
    /// After so many events: the newest commit that was durable, and the newest that had been tried.
    private let floors: [Int]
    private let ceilings: [Int]
    private let lockInode: UInt64?

    init(_ scene: CrashScene) {
      self.scene = scene
      let history = scene.kernel.history
      self.history = history
      lockInode = scene.kernel.inodeNumber(CrashScene.path + ".lock")
      func newest(_ word: String) -> [Int] {
        var numbers = [Int](repeating: 0, count: history.count + 1)
        for mark in history.marks where mark.label.hasPrefix(word) {
          numbers[mark.position] = max(numbers[mark.position], Int(mark.label.dropFirst(word.count + 1)) ?? 0)
        }
        for index in numbers.indices.dropFirst() { numbers[index] = max(numbers[index], numbers[index - 1]) }
        return numbers
      }
      floors = newest("durable")
      ceilings = newest("tried")
    }

    func floor(_ position: Int) -> Int { floors[position] }
    func ceiling(_ position: Int) -> Int { ceilings[position] }

    /// Positions behind events of anything but the lock file, which counts for nothing after another start of the machine.
    var positions: [Int] { (0...history.count).filter { $0 == history.count || isEssential($0) } }

    private func isEssential(_ position: Int) -> Bool {
      switch history.events[position] {
      case .operation(let operation): operation.owner != lockInode
      case .synchronized(let inode), .dropped(let inode): inode != lockInode
      }
    }

    static let choices: [@Sendable (_ position: Int, _ pendingCount: Int) -> CrashChoice] = [
      { _, _ in .everything }, { position, _ in .random(seed: UInt64(position)) }, { _, _ in .nothing },
      { position, _ in .random(seed: UInt64(position) &* 77, tearsInsideSectors: true) },
      { position, pendingCount in .prefix(pendingCount == 0 ? 0 : position % (pendingCount + 1)) },
    ]

    /// - Parameter isComplete: every choice at every position; else they take turns.
    /// - Returns: how many images were opened.
    @discardableResult
    func run(isComplete: Bool, stride step: Int = 1, body: (CrashKernel, Engine, Int, Int) throws -> Void = { _, _, _, _ in })
      throws -> Int
    {
      var count = 0
      for (index, position) in positions.enumerated() where isComplete || index % step == 0 || position == history.count {
        for (turn, choice) in Self.choices.enumerated() where isComplete || (index / step) % Self.choices.count == turn {
          let image = history.image(after: position, choice(position, history.pendingCount(after: position)))
          count += 1
          try examine(image, position, verifies: isComplete || count % 2 == 0, "after \(position) events, choice \(turn)", body)
        }
      }
      return count
    }

    /// The image has a version not older than the last durable one, or no store as long as none was durable.
    func examine(
      _ image: CrashKernel, _ position: Int, verifies: Bool, _ place: @autoclosure () -> String,
      _ body: (CrashKernel, Engine, Int, Int) throws -> Void
    ) throws {
      let (floor, ceiling) = (floors[position], ceilings[position])
      // Before there is a name, opening makes a store.
      if floor > 0 { #expect(image.exists(CrashScene.path), "no file, \(place())") }
      image.putDirectory("/d")
      let engine: Engine
      do { engine = try scene.open(image) } catch {
        Issue.record("\(error), \(place())")
        return
      }
      do {
        try scene.check(engine, from: floor, through: ceiling, verifies: verifies, place())
        try body(image, engine, floor, ceiling)
      } catch { Issue.record("\(error), \(place())") }
    }
  }
#endif
