import MailboxLog
import Testing

@testable import KVToolCommands

@Suite struct ExitCodeTests {
  @Test func numbersAreThoseOfTheContract() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 64, 65, 66, 73, 74, 75, 77, 130])
  }

  @Test func errorsHaveTheirCodes() {
    let noEntry: Int32 = 2, noAccess: Int32 = 13, exists: Int32 = 17, inputOutput: Int32 = 5, noSpace: Int32 = 28, loop: Int32 = 40
    let table: [(LogError, ExitCode)] = [
      (.notFound(path: "x"), .noSuchFile), (.notALog(path: "x"), .badData), (.unsupportedVersion(found: 2, newest: 1), .badData),
      (.corrupted(offset: 0, reason: ""), .badData), (.typeMismatch(stored: .bool, requested: .int), .badData),
      (.missingField(name: ""), .badData), (.keyTooLarge(byteCount: 1, limit: 0), .badData),
      (.recordTooLarge(byteCount: 1, limit: 0), .badData), (.keyRequired, .noPermission), (.keyNotExpected, .noPermission),
      (.wrongKey, .noPermission), (.keyChanged, .noPermission), (.invalidKeyLength(actual: 1), .noPermission),
      (.protectedData, .noPermission), (.readOnly, .noPermission), (.invalidKey, .usage), (.busy(waited: .zero), .busy),
      (.deadlineExceeded, .busy), (.full(capacity: 1), .inputOutput), (.noSpace, .inputOutput), (.suspended, .inputOutput),
      (.closed, .inputOutput), (.forkedHandle, .inputOutput), (.failedEarlier, .inputOutput),
      (.system(call: "open", errno: noAccess, path: ""), .noPermission),
      (.system(call: "open", errno: noEntry, path: ""), .noSuchFile),
      (.system(call: "open", errno: loop, path: ""), .noSuchFile),
      (.system(call: "pread", errno: inputOutput, path: ""), .inputOutput),
      (.system(call: "pwrite", errno: noSpace, path: ""), .inputOutput),
    ]
    for (error, code) in table {
      #expect(ToolFailure.code(error) == code, "\(error)")
      let failure = ToolFailure(error)
      #expect(failure.code == code, "\(error)")
      #expect(failure.message?.isEmpty == false)
    }
    #expect(ToolFailure(LogError.notFound(path: "x"), creating: true).code == .cannotCreate)
    #expect(ToolFailure(LogError.system(call: "mkdir", errno: exists, path: "x"), creating: true).code == .cannotCreate)
    #expect(ToolFailure(LogError.system(call: "mkdir", errno: noAccess, path: "x"), creating: true).code == .noPermission)
  }
}
