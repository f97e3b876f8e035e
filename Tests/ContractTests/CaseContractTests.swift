import Anteroom
import Foundation
import Testing

/// Each case of each public enum, with its labels; the codes of errors never change.
@Suite struct CaseContractTests {
  @Test func errorsOfTheStore() {
    struct Cause: Error {}
    let difference: [SchemaDifference] = []
    let errors: [(StorageError, UInt8)] = [
      (.storeNotOpen, 1), (.openFailed(underlying: Cause()), 2), (.suspended, 4), (.forkedHandle, 5), (.failedEarlier, 6),
      (.cancelled, 7), (.notFound(path: ""), 10), (.notAStore(path: ""), 11), (.unsupportedFormat(found: 2, newest: 1), 12),
      (.corrupted(page: 1, reason: ""), 13), (.storageDirectoryUnavailable(path: ""), 14), (.fileExists(path: ""), 15),
      (.replaced(path: ""), 16), (.notAFile(path: ""), 18), (.passphraseEmpty, 27),
      (.system(call: "", errno: 0, path: ""), 17), (.wrongKey, 20), (.keyRequired, 21), (.keyNotExpected, 22), (.keyChanged, 23),
      (.encryptionKeyInvalidLength(expected: 32, actual: 1), 24), (.secretUnavailable(account: "", underlying: Cause()), 25),
      (.protectedData, 26), (.invalidSchema(type: "", property: nil, reason: ""), 30), (.schemaTooNew(found: 2, configured: 1), 31),
      (.migrationNeeded(differences: difference), 32), (.migrationFailed(toVersion: 2, underlying: Cause()), 33),
      (.objectNotFound(type: "", id: ""), 40), (.duplicateKey(type: "", property: "", values: []), 41),
      (.deleteDenied(type: "", property: ""), 42), (.valueTooLarge(property: "", byteCount: 2, limit: 1), 43),
      (.keyTooLarge(property: "", byteCount: 2, limit: 1), 44), (.typeNotListed(type: ""), 45), (.query(.foreignCursor), 46),
      (.noSpace, 50), (.full(limit: 1), 51), (.busy(waited: .zero), 52), (.readOnly, 53), (.nestedWrite, 54),
      (.transactionEnded, 55),
    ]
    #expect(errors.allSatisfy { $0.code == $1 && !$0.description.isEmpty && $0.errorDescription != nil })
    let expired: (StorageVersion) -> StorageError = { .snapshotExpired(version: $0) }
    _ = expired
    #expect(QueryError.foreignCursor.errorDescription != nil && PromotionError.cancelled.errorDescription != nil)
  }

  @Test func errorsOfMailboxes() {
    let errors: [(LogError, UInt8)] = [
      (.notFound(path: ""), 1), (.notALog(path: ""), 2), (.unsupportedVersion(found: 2, newest: 1), 3), (.keyRequired, 4),
      (.keyNotExpected, 5), (.wrongKey, 6), (.keyChanged, 7), (.invalidKeyLength(actual: 1), 8),
      (.corrupted(offset: 1, reason: ""), 9),
      (.typeMismatch(stored: .int, requested: .uint), 10), (.invalidKey, 11), (.keyTooLarge(byteCount: 2, limit: 1), 12),
      (.recordTooLarge(byteCount: 2, limit: 1), 13), (.full(capacity: 1), 14), (.noSpace, 15), (.busy(waited: .zero), 16),
      (.deadlineExceeded, 17), (.protectedData, 18), (.readOnly, 19), (.suspended, 20), (.closed, 21), (.forkedHandle, 22),
      (.failedEarlier, 23), (.system(call: "", errno: 0, path: ""), 24), (.missingField(name: ""), 25),
    ]
    #expect(errors.allSatisfy { $0.code == $1 && !$0.description.isEmpty && $0.errorDescription != nil })
  }

  @Test func choicesAndKinds() {
    let policies: [CorruptionPolicy] = [.rethrow, .deleteAndRecreate, .quarantine, .salvage]
    let responses: [CorruptionPolicy.Response] = [.rethrow, .deleteAndRecreate, .quarantine, .salvage]
    #expect(policies.count == responses.count && CorruptionPolicy.isUnrecoverable(.notAStore(path: "")))
    #expect(Set<StorageDurability>([.powerLoss, .ordered, .processCrash]).count == 3)
    #expect(Set<StorageFileProtection>([.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication]).count == 3)
    #expect(Set<StorageDeleteRule>([.nullify, .cascade, .deny]).count == 3)
    #expect(Set<UpdatePolicy>([.modified, .all, .error, .insertIfAbsent]).count == 4)
    let events: Set<StorageEvent.Kind> = [
      .opened, .recovered, .damageFound, .compacted, .rekeyed, .migrated, .lockWaited, .longPinnedVersion, .resetByPolicy,
    ]
    let operations: Set<StorageProgress.Operation> = [
      .migrating, .encrypting, .compacting, .copying, .rekeying, .verifying, .salvaging,
    ]
    #expect(events.count == 9 && operations.count == 7)
    let logEvents: Set<LogEvent.Kind> = [
      .recovered, .damageFound, .compacted, .rekeyed, .segmentCreated, .segmentRemoved, .lockWaited, .oldestDropped,
    ]
    let metrics: Set<LogMetric.Operation> = [.open, .append, .read, .drain, .acknowledge, .synchronize, .compact]
    #expect(logEvents.count == 8 && metrics.count == 7)
    #expect(Set<LogValueType>([.bytes, .string, .int, .uint, .double, .bool, .date]).count == 7)
    #expect(Set<LogDurability>([.processCrash, .powerLoss]).count == 2 && Set<LogAccess>([.readWrite, .readOnly]).count == 2)
    #expect(Set<LogOverflowPolicy>([.reject, .dropOldest]).count == 2 && Set<LogPermissions>([.owner, .group]).count == 2)
    #expect(Set<LogKeyMismatchPolicy>([.fail, .ownSegment]).count == 2 && Set<LogRecoveryPolicy>([.report, .fail]).count == 2)
    #expect(Set<PromotionDuplicates>([.insertIfAbsent, .latestWins]).count == 2)
    #expect(Set<PromotionEvent.Kind>([.batchCommitted, .quarantined, .damageFound, .upcasterMissing]).count == 4)
    #if os(Linux)
      #expect(Set<KernelKeyringSecretStore.Keyring>([.process, .session, .user]).count == 3)
    #endif
    let fields: [PartialKeyPath<SalvageReport>] = [\.savedObjectCounts, \.lostRanges]
    let damage: [PartialKeyPath<DamageReport>] = [\.badRanges, \.goodRecordCount, \.isEmpty]
    #expect(fields.count == 2 && damage.count == 3)
  }

  /// A value of the app's own in a mailbox: one of the seven types, and its encoding.
  @Test func aLogValueOfOnesOwn() throws {
    struct Cents: LogValue, Equatable {
      var count: Int
      static var logValueType: LogValueType { .int }
      var logByteCount: Int { count.logByteCount }
      func appendLogBytes(to output: inout OutputSpan<UInt8>) { count.appendLogBytes(to: &output) }
      init(_ count: Int) { self.count = count }
      init?(logBytes: Span<UInt8>) {
        guard let count = Int(logBytes: logBytes) else { return nil }
        self.count = count
      }
    }
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let directory = folder.url.appending(path: "cents.mailbox")
    let writer = try MailboxWriter(directory: directory)
    try writer.append(id: "price") { $0.set("cents", Cents(199)) }
    try MailboxReader(directory: directory).forEachPending { entry in
      let cents = try entry.value(Cents.self, "cents")
      #expect(try cents == Cents(199) && entry.int("cents") == 199)
    }
    #expect("é".logByteCount == 2 && 1.5.logByteCount == 8 && true.logByteCount == 1 && UInt64.max.logByteCount == 8)
    #expect(Int64.min.logByteCount == 8 && [UInt8](repeating: 0, count: 3).logByteCount == 3 && Data(count: 3).logByteCount == 3)
    #expect(Date.now.logByteCount == 8 && LogTimestamp.now.logByteCount == 8)
  }

  /// What values unwrap to, add up to, and average to.
  @Test func associatedTypes() {
    #expect(Int8.StorageSum.self == Int.self && UInt16.StorageSum.self == UInt.self && Float.StorageSum.self == Double.self)
    #expect(
      Decimal.StorageAverage.self == Decimal.self && Int?.StorageAverage.self == Double.self && Int?.StorageSum.self == Int.self)
    #expect(Date?.StorageUnwrapped.self == Date.self && Shelf.StorageUnwrapped.self == Shelf.self)
  }
}
