import Foundation
import Testing

/// The protocol of segments, in every interleaving of a small world.
@Suite(.serialized) struct ModelTests {
  private func check(_ rules: ModelRules = ModelRules(), writers: [UInt8], readers: Int) throws(ModelViolation) -> Int {
    var checker = ModelChecker(rules, writers: writers, readers: readers)
    try checker.run()
    return checker.stateCount
  }

  @Test("Nothing goes wrong in any interleaving, whoever dies or stops where")
  func protocolHolds() throws {
    // The counts are there to show that nothing has become unreachable.
    #expect(try check(writers: [1, 1], readers: 1) > 4000)
    #expect(try check(writers: [2], readers: 2) > 80_000)
    #expect(try check(writers: [1, 1], readers: 2) > 140_000)
    #expect(try check(writers: [2, 2], readers: 1) > 55_000)
    #expect(try check(writers: [2, 1], readers: 2) > 900_000)
  }

  @Test("Nothing goes wrong with two writers of two appends and two readers", .enabled(if: MailboxUnderTest.isLong))
  func protocolHoldsAtLength() throws {
    #expect(try check(writers: [2, 2], readers: 2) > 3_000_000)
  }

  private func fails(_ change: (inout ModelRules) -> Void, writers: [UInt8], readers: Int) -> ModelViolation? {
    var rules = ModelRules()
    change(&rules)
    do throws(ModelViolation) {
      _ = try check(rules, writers: writers, readers: readers)
      return nil
    } catch { return error }
  }

  @Test("The model can fail: a state that is read before the lock is there")
  func stateBeforeLock() {
    let seen: [ModelViolation?] = [
      fails({ $0.looksAfterLocking = false }, writers: [2, 2], readers: 1),
      fails({ $0.looksAfterLocking = false }, writers: [2], readers: 1),
    ]
    #expect(seen == [.appendedBehindAnEnd, .appendedIntoSealed])
  }

  @Test("The model can fail: a removal without another look at the committed end")
  func removalWithoutLook() {
    #expect(fails({ $0.looksBeforeRemoving = false }, writers: [1, 1], readers: 1) == .removedUnread)
  }

  @Test("The model can fail: no second look after a mark, or only by who set one")
  func noSecondLook() {
    #expect(fails({ $0.looksAgain = false }, writers: [2], readers: 2) == .stuck)
    #expect(fails({ $0.onlyMarkersLookAgain = true }, writers: [2], readers: 2) == .stuck)
  }

  @Test("The model can fail: an end that passes a gap")
  func endPastGap() {
    #expect(fails({ $0.marksBehindGaps = false }, writers: [2], readers: 1) == .consumedUnread)
  }

  @Test("The model can fail: a writer that waits for a lock")
  func writerThatWaits() {
    #expect(fails({ $0.passesOverBusy = false }, writers: [1, 1], readers: 0) == .waited)
  }
}
