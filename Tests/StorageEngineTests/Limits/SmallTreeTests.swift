import RawMemory
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// Trees of pages that hold four entries or more, in every order of inserting and of deleting.
@Suite struct SmallTreeTests {
  /// Lengths of keys and values: four, five or many in a page, and mixtures that make pages of unequal size.
  private static let shapes: [(key: [Int], value: [Int])] = [
    ([88], [18]), ([60], [10]), ([10, 88, 40], [0, 18, 60]), ([3], [100, 3, 700]),
  ]

  private func keys(_ count: Int, _ shape: (key: [Int], value: [Int])) -> [(key: [UInt8], value: [UInt8])] {
    (0..<count).map { index in
      let length = shape.key[index % shape.key.count]
      // Keys that share much, and differ at the end or early.
      var key = [UInt8](repeating: 7, count: length)
      if index % 2 == 0 { key[key.count - 1] = UInt8(index) } else { key[min(1, key.count - 2)] = UInt8(index) }
      key[key.count - 2] = UInt8(truncatingIfNeeded: index >> 1)
      return (key + [UInt8(index)].prefix(length < 88 ? 1 : 0), patterned(shape.value[index % shape.value.count], index))
    }
  }

  /// Heap's algorithm: each order of `0..<count`, one swap from the one before.
  private func forEachOrder(_ count: Int, _ body: ([Int]) throws -> Void) rethrows {
    var order = Array(0..<count)
    var counters = [Int](repeating: 0, count: count)
    try body(order)
    var index = 1
    while index < count {
      if counters[index] < index {
        order.swapAt(index % 2 == 0 ? 0 : counters[index], index)
        try body(order)
        counters[index] += 1
        index = 1
      } else {
        counters[index] = 0
        index += 1
      }
    }
  }

  /// - Parameter base: how many entries are there before, and stay.
  @Test(arguments: [0, 9, 22], [0, 1, 2, 3]) func everyOrder(base: Int, shape: Int) throws {
    var options = EngineOptions()
    options.pageByteCount = 512
    let bench = try EngineBench(options)
    let engine: Engine = bench.engine
    let movingCount = isLongRun ? 8 : base == 9 ? 7 : 6
    let all = keys(base + movingCount, Self.shapes[shape])
    // Every so-manieth one moves, so that they are spread over the pages.
    let moving = (0..<movingCount).map { all[$0 * all.count / movingCount] }
    let movingKeys = Set(moving.map(\.key))
    var resting: Contents = [:]
    for (key, value) in all where !movingKeys.contains(key) { resting[key] = value }
    try engine.write { transaction throws(EngineError) in
      for (key, value) in resting { try transaction.put(key, value) }
    }
    var turn = 0
    try forEachOrder(movingCount) { order in
      turn += 1
      let transaction = try engine.begin()
      defer { transaction.abort() }
      var model = resting
      for index in order {
        model[moving[index].key] = moving[index].value
        try transaction.put(moving[index].key, moving[index].value)
      }
      try EngineBench.check(try transaction.tree("t"), model)
      // The same order, and its reverse, are those in which they go.
      for index in turn % 2 == 0 ? order : order.reversed() {
        let wasThere = try transaction.delete(moving[index].key)
        if !wasThere { Issue.record("\(index) is gone in \(order)") }
        model[moving[index].key] = nil
        if turn % 16 == 0 { try EngineBench.check(try transaction.tree("t"), model) }
      }
      try EngineBench.check(try transaction.tree("t"), resting)
      if turn % 90 == 0 {
        for index in order.prefix(movingCount / 2) {
          model[moving[index].key] = moving[index].value
          try transaction.put(moving[index].key, moving[index].value)
        }
        _ = try transaction.commit(.processCrash)
        let report = try engine.snapshot().verify()
        if !report.isClean { Issue.record("\(report.problems) in \(order)") }
        try EngineBench.check(try engine.snapshot().tree("t"), model)
        try engine.write(.processCrash) { transaction throws(EngineError) in
          for index in order.prefix(movingCount / 2) { try transaction.delete(moving[index].key) }
        }
      }
    }
  }
}
