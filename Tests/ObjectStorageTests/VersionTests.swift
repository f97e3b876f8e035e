import Testing

@testable import ObjectStorage

@Test func versionsAreOrdered() {
  #expect(StorageVersion(transactionID: 1) < StorageVersion(transactionID: 2))
}
