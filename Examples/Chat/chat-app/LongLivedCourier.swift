/// Shares pushes among several long-lived helpers that append at the same time.
struct LongLivedCourier {
  private let dispatcher: Dispatcher
  private let lanes: [LongLivedLane]

  init(_ dispatcher: Dispatcher) throws(ChatError) {
    self.dispatcher = dispatcher
    var lanes: [LongLivedLane] = []
    for _ in 0..<dispatcher.options.longLivedCount { lanes.append(try LongLivedLane(dispatcher)) }
    self.lanes = lanes
  }

  /// Returns once every push is acknowledged and the helpers have ended. - Returns: what they measured.
  func deliver(_ next: () throws(ChatError) -> Push?) throws(ChatError) -> [HelperFigures] {
    var isExhausted = false
    while true {
      for index in lanes.indices {
        while !isExhausted, lanes[index].hasRoom {
          guard let push = try next() else {
            isExhausted = true
            break
          }
          lanes[index].add(push)
          if dispatcher.random.chance(dispatcher.options.doubleRate) {
            dispatcher.statistics.copyCount += 1
            lanes[(index + 1) % lanes.count].add(push.copy)
          }
        }
        try lanes[index].advance()
      }
      if isExhausted, lanes.allSatisfy(\.isIdle) { break }
      try dispatcher.wait(for: lanes.map(\.channel), until: lanes.compactMap(\.diesAt).min())
    }
    var figures: [HelperFigures] = []
    for lane in lanes { figures.append(try lane.finish()) }
    return figures
  }
}
