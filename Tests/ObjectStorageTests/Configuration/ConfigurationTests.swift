import Testing

@testable import ObjectStorage

@Suite struct ConfigurationTests {
  @Test func defaultsAreTheSafeChoice() {
    let configuration = StorageConfiguration(objectTypes: [])
    #expect(configuration.location == .applicationSupport)
    #expect(configuration.fileName == "default")
    #expect(configuration.schemaVersion == 1)
    #expect(configuration.fileProtection == .completeUntilFirstUserAuthentication)
    #expect(configuration.excludedFromBackup)
    #expect(!configuration.isReadOnly && !configuration.deleteStoreIfMigrationNeeded && !configuration.isConstrained)
    #expect(configuration.pageCacheByteCountMax == 32 << 20)
    #expect(configuration.dirtyPageByteCountMax == 16 << 20)
    #expect(configuration.fileByteCountMax == nil)
    #expect(configuration.durability == .powerLoss)
    #expect(configuration.lockTimeout == .seconds(5))
    guard case .none = configuration.encryption, case .rethrow = configuration.corruptionPolicy else {
      Issue.record("\(configuration)")
      return
    }
  }

  @Test func aConstrainedOneIsSmallAndLeavesTheFileAsItIs() {
    let configuration = StorageConfiguration(fileName: "f", schemaVersion: 3, objectTypes: []).constrained()
    #expect(configuration.pageCacheByteCountMax == 1 << 20)
    #expect(configuration.dirtyPageByteCountMax == 256 << 10)
    #expect(configuration.lockTimeout == .milliseconds(100))
    #expect(configuration.isConstrained)
    #expect(configuration.fileName == "f" && configuration.schemaVersion == 3)
  }

  @Test func oneInMemoryHasAnIdentifier() {
    #expect(StorageConfiguration.inMemory(objectTypes: []).location == .inMemory(identifier: "default"))
    #expect(StorageConfiguration.inMemory(identifier: "a", schemaVersion: 2, objectTypes: []).schemaVersion == 2)
  }
}

@Suite struct CorruptionPolicyTests {
  static let damage: [StorageError] = [.notAStore(path: "/p"), .corrupted(page: 1, reason: "r")]
  static let others: [StorageError] = [
    .wrongKey, .keyRequired, .keyNotExpected, .noSpace, .busy(waited: .zero), .schemaTooNew(found: 2, configured: 1),
    .migrationNeeded(differences: []), .unsupportedFormat(found: 2, newest: 1), .protectedData, .notFound(path: "/p"),
    .system(call: "open", errno: 13, path: "/p"), .readOnly,
  ]

  @Test(arguments: damage) func damageIsUnrecoverable(_ error: StorageError) {
    #expect(CorruptionPolicy.isUnrecoverable(error))
    #expect(CorruptionPolicy.rethrow.response(to: error) == .rethrow)
    #expect(CorruptionPolicy.deleteAndRecreate.response(to: error) == .deleteAndRecreate)
    #expect(CorruptionPolicy.quarantine.response(to: error) == .quarantine)
    #expect(CorruptionPolicy.salvage.response(to: error) == .salvage)
    #expect(CorruptionPolicy.custom { $0 == .notAStore(path: "") ? .salvage : .quarantine }.response(to: error) != .rethrow)
  }

  @Test(arguments: others) func aPolicyIsNotAskedAboutTheRest(_ error: StorageError) {
    #expect(!CorruptionPolicy.isUnrecoverable(error))
    #expect(CorruptionPolicy.deleteAndRecreate.response(to: error) == .rethrow)
    let asking = CorruptionPolicy.custom { _ in
      Issue.record("asked about \(error)")
      return .deleteAndRecreate
    }
    #expect(asking.response(to: error) == .rethrow)
  }
}
