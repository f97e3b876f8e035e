import FoundationEssentials
import Testing

@testable import ObjectStorage

@Suite struct StorageErrorTests {
  private struct Failure: Error, CustomStringConvertible { let description = "out of paper" }

  private var all: [StorageError] {
    let difference = SchemaDifference(type: "A", property: "b", kind: .propertyAdded, isAdditive: true)
    return [
      .storeNotOpen, .openFailed(underlying: Failure()), .suspended, .forkedHandle, .failedEarlier, .cancelled,
      .notFound(path: "/p"),
      .notAStore(path: "/p"), .unsupportedFormat(found: 2, newest: 1), .corrupted(page: 3, reason: "r"),
      .storageDirectoryUnavailable(path: "/p"), .fileExists(path: "/p"), .system(call: "open", errno: 13, path: "/p"),
      .replaced(path: "/p"), .notAFile(path: "/p"), .passphraseEmpty, .wrongKey,
      .keyRequired, .keyNotExpected, .keyChanged, .encryptionKeyInvalidLength(expected: 32, actual: 3),
      .secretUnavailable(account: "a", underlying: Failure()), .protectedData,
      .invalidSchema(type: "A", property: "b", reason: "r"),
      .schemaTooNew(found: 3, configured: 2), .migrationNeeded(differences: [difference]),
      .migrationFailed(toVersion: 2, underlying: Failure()), .objectNotFound(type: "A", id: "1"),
      .duplicateKey(type: "A", property: "b", values: ["1"]), .deleteDenied(type: "A", property: "b"),
      .valueTooLarge(property: "b", byteCount: 2, limit: 1), .keyTooLarge(property: "b", byteCount: 2, limit: 1),
      .typeNotListed(type: "A"), .query(.unknownType(name: "A")), .noSpace, .full(limit: 1), .busy(waited: .seconds(1)), .readOnly,
      .nestedWrite, .transactionEnded, .snapshotExpired(version: StorageVersion(transactionID: 1)),
    ]
  }

  @Test func eachHasItsCodeAndASentence() {
    #expect(Set(all.map(\.code)).count == all.count)
    #expect(Set(all.map(\.description)).count == all.count)
    for error in all { #expect(error.description.count > 10 && !error.description.hasSuffix(".")) }
    #expect(all.map { "\($0)" }.contains("the migration to version 2 failed and was undone: out of paper"))
  }

  @Test func equalWhenTheCasesAre() {
    for (i, a) in all.enumerated() { for (j, b) in all.enumerated() { #expect((a == b) == (i == j)) } }
    #expect(StorageError.notFound(path: "a") == .notFound(path: "b"))
    #expect(StorageError.corrupted(page: 1, reason: "a") != .corrupted(page: 2, reason: "a"))
    #expect(StorageError.query(.foreignCursor) != .query(.unknownType(name: "A")))
  }
}
