import Anteroom
import Foundation
import Testing

/// Each public type, unqualified beside Foundation: no name is ambiguous, and values are what they promise to be.
@Suite struct NameContractTests {
  private func isSendable<T: Sendable>(_ type: T.Type) -> Bool { true }
  private func isHashable<T: Hashable>(_ type: T.Type) -> Bool { true }
  private func isText<T: CustomStringConvertible>(_ type: T.Type) -> Bool { true }
  private func isError<T: Error & LocalizedError>(_ type: T.Type) -> Bool { true }
  private func isCollection<T: RandomAccessCollection>(_ type: T.Type) -> Bool { true }
  private func isSequence<T: AsyncSequence>(_ type: T.Type) -> Bool { true }

  @Test func valuesAreSendable() {
    #expect(isSendable(CorruptionPolicy.self) && isSendable(DamageReport.self) && isSendable(DatabaseQuery<Book>.self))
    #expect(isSendable(EncryptionKey.self) && isSendable(FileSecretStore.self) && isSendable(LogOptions.self))
    #expect(isSendable(LogAccess.self) && isSendable(LogDurability.self) && isSendable(LogOverflowPolicy.self))
    #expect(isSendable(LogKeyMismatchPolicy.self) && isSendable(LogRecoveryPolicy.self) && isSendable(LogPermissions.self))
    #expect(isSendable(LogEvent.self) && isSendable(LogMetric.self) && isSendable(LogValueType.self))
    #expect(isSendable(MailboxBacklog.self) && isSendable(MailboxReader.self) && isSendable(MailboxWriter.self))
    #expect(isSendable(MigrationReport.self) && isSendable(ObjectStore.self) && isSendable(OpenReport.self))
    #expect(
      isSendable(Persisted<Int>.self) && isSendable(Query<Int>.self) && isSendable(QueryPlan.self) && isSendable(Sort<Book>.self))
    #expect(isSendable(PinnedVersion.self) && isSendable(Promoter<ObjectStore>.self) && isSendable(PromotionOptions.self))
    #expect(isSendable(PromotionDuplicates.self) && isSendable(PromotionEvent.self) && isSendable(PromotionProgress.self))
    #expect(isSendable(PromotionQuarantine<ObjectStore>.self) && isSendable(PromotionReport.self))
    #expect(isSendable(PromotionUpcaster.self) && isSendable(QuarantinedEntry.self) && isSendable(SalvageReport.self))
    #expect(isSendable(SchemaMigrationStep.self) && isSendable(SchemaMigrator.self) && isSendable(StorageConfiguration.self))
    #expect(isSendable(StorageCursor.self) && isSendable(StorageDeleteRule.self) && isSendable(StorageDurability.self))
    #expect(isSendable(StorageEvent.self) && isSendable(StorageFileProtection.self) && isSendable(StorageGroup<Int, Book>.self))
    #expect(isSendable(StorageIndex<Book>.self) && isSendable(StorageProgress.self) && isSendable(StorageSnapshot.self))
    #expect(isSendable(StorageStatistics.self) && isSendable(StorageTestHooks.self) && isSendable(UpdatePolicy.self))
    #expect(isSendable(VerificationReport.self))
  }

  @Test func valuesAreWhatTheyPromise() {
    #expect(isHashable(LogTimestamp.self) && isHashable(MailboxPosition.self) && isHashable(MailboxSegmentID.self))
    #expect(isHashable(SchemaDifference.self) && isHashable(StorageLocation.self) && isHashable(StorageVersion.self))
    #expect(isText(DatabaseQuery<Book>.self) && isText(LogError.self) && isText(QueryPlan.self) && isText(SchemaDifference.self))
    #expect(isText(StorageError.self))
    #expect(isError(LogError.self) && isError(StorageError.self) && isError(QueryError.self) && isError(PromotionError.self))
    #expect(
      isCollection(StorageResults<Book>.self) && isCollection(PersistedList<Int>.self) && isCollection(PersistedSet<Int>.self))
    #expect(isCollection(PersistedMap<String, Int>.self) && isSequence(MailboxArrivals.self) && isSequence(PromotionReports.self))
    #expect(StorageError.busy(waited: .zero) == .busy(waited: .seconds(1)) && LogError.noSpace == .noSpace)
    #expect(StringOptions(rawValue: 3) == [.caseInsensitive, .diacriticInsensitive])
  }

  private func takes(_ fields: MailboxFields.Type, _ batch: MailboxBatch.Type, _ builder: SchemaMigrationBuilder.Type) {}
  private func borrows(_ entry: borrowing MailboxEntry, _ migration: inout Migration, _ transaction: inout WriteTransaction) {}

  private func isComparable<T: StorageComparable>(_ type: T.Type) -> Bool { true }
  private func isNumeric<T: StorageNumeric>(_ type: T.Type) -> Bool { true }
  private func isID<T: StorageID>(_ type: T.Type) -> Bool { true }
  private func isLogValue<T: LogValue>(_ type: T.Type) -> Bool { true }
  private func isValue<T: PersistableValue>(_ type: T.Type) -> Bool { true }
  private func isModel<T: StorageObject & StorageFields>(_ type: T.Type) -> Bool { true }
  private func isMapKey<T: PersistedMapKey>(_ type: T.Type) -> Bool { true }
  private func reads<T: StorageReading>(_ type: T.Type) -> Bool { true }
  private func isTarget<T: PromotionTarget>(_ type: T.Type) -> Bool where T.Transaction: PromotionTransaction { true }

  @Test func typesConform() {
    #expect(isNumeric(Int8?.self) && isNumeric(UInt64.self) && isNumeric(Decimal.self) && isNumeric(Float?.self))
    #expect(isComparable(Bool.self) && isComparable(Date?.self) && isComparable(UUID.self) && isComparable(Shelf.self))
    #expect(isID(String.self) && isID(Int16.self) && isID(UInt32.self) && isID(UUID.self) && isID(Data.self) && isID(Date.self))
    #expect(isLogValue(Int.self) && isLogValue([UInt8].self) && isLogValue(Date.self) && isLogValue(Data.self))
    #expect(isValue(Set<Int>.self) && isValue(Publisher?.self) && isValue(PersistedMap<String, Publisher>.self))
    #expect(isModel(Book.self) && isModel(Visit.self) && isMapKey(String.self))
    #expect(reads(StorageSnapshot.self) && reads(WriteTransaction.self) && isTarget(ObjectStore.self))
  }
}
