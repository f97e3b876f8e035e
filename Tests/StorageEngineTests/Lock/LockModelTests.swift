import Foundation
import Testing

/// The protocol of published version and slots, in every interleaving of a small world.
@Suite struct LockModelTests {
  /// Breadth first, each state once. - Returns: how many there are.
  private func check(
    _ rules: LockModelRules = LockModelRules(), transactions: UInt8, rounds: (UInt8, UInt8), kills: UInt8
  ) throws(LockModelViolation) -> Int {
    let start = LockModelState(transactions: transactions, rounds: rounds, kills: kills)
    var seen: Set<LockModelState> = [start]
    var waiting = [start]
    while let state = waiting.popLast() {
      for after in try successors(of: state, rules) where seen.insert(after).inserted { waiting.append(after) }
    }
    return seen.count
  }

  private func successors(of state: LockModelState, _ rules: LockModelRules) throws(LockModelViolation) -> [LockModelState] {
    var result: [LockModelState] = []
    if state.writer.step != .done {
      var after = state
      try after.stepWriter(rules)
      result.append(after)
    }
    for place in 0..<2 where state[reader: place].step != .done {
      var after = state
      try after.step(reader: place, rules)
      result.append(after)
      if state.killsLeft > 0 {
        after = state
        after.kill(reader: place)
        result.append(after)
      }
    }
    if result.isEmpty { try checkEnd(state, rules) }
    return result
  }

  /// A last transaction finds no pin, whoever was killed where.
  private func checkEnd(_ state: LockModelState, _ rules: LockModelRules) throws(LockModelViolation) {
    var after = state
    after.writer = LockModelWriter(transactionsLeft: 2)
    while after.writer.step != .reuse { try after.stepWriter(rules) }
    for place in 0..<2 {
      let slot = place == 0 ? after.slots.0 : after.slots.1
      if slot.owner != 0, after.isDead(slot.process) || slot.version != 0 { throw .pinnedForEver }
    }
  }

  @Test("No schedule overwrites a version that a living process reads, whoever is killed where")
  func protocolHolds() throws {
    // The counts are there to show that nothing has become unreachable.
    #expect(try check(transactions: 4, rounds: (2, 0), kills: 1) > 5_000)
    #expect(try check(transactions: 3, rounds: (1, 1), kills: 0) > 25_000)
    #expect(try check(transactions: 2, rounds: (1, 1), kills: 2) > 200_000)
    #expect(try check(transactions: 3, rounds: (2, 1), kills: 1) > 300_000)
  }

  @Test("The same in a larger world", .enabled(if: ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"))
  func protocolHoldsAtLength() throws {
    #expect(try check(transactions: 3, rounds: (1, 1), kills: 2) > 1_000_000)
    #expect(try check(transactions: 4, rounds: (2, 1), kills: 1) > 300_000)
  }

  private func fails(
    _ change: (inout LockModelRules) -> Void, transactions: UInt8 = 3, rounds: (UInt8, UInt8) = (1, 0), kills: UInt8 = 0
  ) -> LockModelViolation? {
    var rules = LockModelRules()
    change(&rules)
    do throws(LockModelViolation) {
      _ = try check(rules, transactions: transactions, rounds: rounds, kills: kills)
      return nil
    } catch { return error }
  }

  @Test("The model can fail: no second look, or one before the slot is stored")
  func secondLook() {
    #expect(fails({ $0.looksAgain = false }) == .overwritten)
    #expect(fails({ $0.storesBeforeLooking = false }) == .overwritten)
  }

  @Test("The model can fail: a writer that uses a version again by a look from before it was replaced")
  func earlyScan() { #expect(fails({ $0.scansAfterPublishing = false }) == .overwritten) }

  @Test("The model can fail: two processes with one word, or a version that is cleared by who reclaims")
  func reclaiming() {
    #expect(fails({ $0.ownersDiffer = false }, rounds: (1, 1), kills: 2) == .overwritten)
    #expect(fails({ $0.leavesVersions = false }, rounds: (1, 1), kills: 2) == .overwritten)
  }
}
