import CSystem
import RawMemory
import Testing

@testable import StorageIO

@Suite struct ErrnoTests {
  @Test(arguments: ErrnoRow.all)
  func outcome(_ row: ErrnoRow) {
    let calls = ScriptedCalls(row.call, row.results)
    var outcome: ErrnoRow.Outcome
    do throws(SystemError) { outcome = .value(try row.action(calls)) } catch { outcome = .failure(error.call, error.code) }
    #expect(outcome == row.outcome)
    #expect(calls.counts[row.call, default: 0] == row.callCount)
    // Whatever was opened is closed, once.
    #expect(calls.counts[.close, default: 0] == opened(row, outcome, calls))
  }

  private func opened(_ row: ErrnoRow, _ outcome: ErrnoRow.Outcome, _ calls: ScriptedCalls) -> Int {
    if case .failure(.open, _) = outcome { return 0 }
    return calls.counts[.open, default: 0] > 0 ? 1 : 0
  }

  @Test func shortTransfersContinueWhereTheyStopped() throws {
    let expected: [ScriptedCalls.Transfer] = [
      .init(range: 2..<10, offset: 50), .init(range: 5..<10, offset: 53), .init(range: 5..<10, offset: 53),
      .init(range: 9..<10, offset: 57),
    ]
    let reads = ScriptedCalls(.read, [3, -Int(EINTR), 4, 1])
    #expect(try StorageFile(reads, path: "/f", flags: O_RDWR).read(ByteBuffer(count: 16), 2..<10, at: 50) == 8)
    #expect(reads.transfers == expected)
    let writes = ScriptedCalls(.write, [3, -Int(EINTR), 4, 1])
    try StorageFile(writes, path: "/f", flags: O_RDWR).write(ByteBuffer(count: 16), 2..<10, at: 50)
    #expect(writes.transfers == expected)
  }

  /// A temporary name that is taken belongs to somebody: its file must stay.
  @Test func aTakenTemporaryNameIsLeftAlone() {
    let calls = ScriptedCalls(.open, [-Int(EEXIST)])
    let directory = StorageDirectory(calls, path: "/d", fileMode: 0o600, directoryMode: 0o700, forcesModes: false)
    #expect(throws: SystemError.self) { try directory.makeWhole("a", random: 1) { (_) throws(SystemError) in } }
    #expect(calls.counts[.unlink] == nil)
  }

  @Test func callsHaveTheNamesOfTheManual() {
    #expect(SystemCall.allCases.allSatisfy { !$0.name.isEmpty })
    #expect(SystemCall.synchronizeData.name == "fdatasync")
  }
}
