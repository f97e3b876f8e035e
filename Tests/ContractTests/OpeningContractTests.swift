import Anteroom
import Foundation
import Synchronization
import Testing

/// Opening, configuring, secrets and migrations, as apps call them.
@Suite struct OpeningContractTests {
  @Test func everyPropertyOfTheConfiguration() async throws {
    let folder = try Folder()
    let messages = Mutex<[String]>([])
    var configuration = folder.configuration { configuration in
      configuration.fileProtection = .completeUntilFirstUserAuthentication
      configuration.excludedFromBackup = false
      configuration.corruptionPolicy = .custom { error in CorruptionPolicy.isUnrecoverable(error) ? .quarantine : .rethrow }
      configuration.isReadOnly = false
      configuration.deleteStoreIfMigrationNeeded = false
      configuration.shouldCompactOnLaunch = { total, used in total > 1 << 30 && used < total / 2 }
      configuration.pageCacheByteCountMax = 2 << 20
      configuration.dirtyPageByteCountMax = 1 << 20
      configuration.fileByteCountMax = 1 << 30
      configuration.durability = .processCrash
      configuration.lockTimeout = .milliseconds(500)
      configuration.migrate = { migration, version in _ = (migration.oldSchemaVersion, migration.newSchemaVersion, version) }
      configuration.keepsCopyBeforeMigration = false
      configuration.progressHandler = { _ = ($0.operation, $0.completedUnitCount, $0.totalUnitCount) }
      configuration.logHandler = { event in messages.withLock { $0.append("\(event.kind) \(event.message)") } }
      configuration.testHooks = nil
    }
    var hooks = StorageTestHooks()
    hooks.beforeOperation = { _, _ in }
    hooks.now = { Date() }
    configuration.encryption = .key(Data(repeating: 3, count: 32))
    let store = ObjectStore(configuration: configuration)
    let report: OpenReport = try await store.open()
    #expect(report.wasCreated && !report.joinedOpenStore && !report.didDropLastCommit && !report.wasEncryptedNow)
    #expect(report.migration == nil && report.reset == nil && report.quarantinedFile == nil && report.salvage == nil)
    #expect(!report.wasCompacted)
    _ = report.fileProtection
    #expect(try await store.currentVersion() == report.version)
    #expect(store.configuration.fileName == "library")
    #expect(messages.withLock { $0.contains { $0.hasPrefix("opened") } })
    let constrained = configuration.constrained()
    #expect(constrained.pageCacheByteCountMax == 1 << 20 && constrained.dirtyPageByteCountMax == 256 << 10)
    #expect(try store.allFileURLs.first?.lastPathComponent == "library.store")
    await store.close()
  }

  @Test func locationsAndStoresInMemory() async throws {
    let places: Set<StorageLocation> = [
      .applicationSupport, .documents, .directory(URL(filePath: "/a")), .file(URL(filePath: "/b")), .appGroup("group"),
      .inMemory(identifier: "contract"),
    ]
    #expect(places.count == 6)
    let store = ObjectStore(configuration: .inMemory(identifier: "contract", schemaVersion: 1, objectTypes: [Visit.self]))
    try await store.open()
    try await store.save(Visit(minutes: 3))
    #expect(try await store.fileSize() == nil)
    #expect(try await store.count(Visit.self) == 1)
  }

  @Test func secretsAndPassphrases() async throws {
    let folder = try Folder()
    let secrets: any SecretStore = InMemorySecretStore()
    let kept = try secrets.setIfAbsent(Data(repeating: 9, count: 32), forKey: "library")
    try secrets.set(kept, forKey: "library")
    #expect(try secrets.data(forKey: "library") == kept)
    for (name, encryption) in [
      ("kept", StorageConfiguration.Encryption.secret(store: secrets, account: "library")), ("chain", .keychain(store: secrets)),
      ("phrase", .passphrase("correct horse")),
      ("file", .secret(store: FileSecretStore(directory: folder.url.appending(path: "keys")))),
    ] {
      let store = try await folder.store {
        $0.fileName = name
        $0.encryption = encryption
      }
      try await store.save(Visit(minutes: 1))
      await store.close()
    }
    try secrets.removeData(forKey: "library")
    _ = FileDescriptorSecretStore(fileDescriptor: -1)
    #if os(Linux)
      _ = CredentialsDirectorySecretStore(directory: folder.url)
      #expect(KernelKeyringSecretStore(keyring: .process).keyring == .process)
    #endif
    let errors: [SecretStoreError] = [
      .insecurePermissions(path: "", mode: 0), .readOnly, .invalidKey(""), .keychain(status: 0),
      .system(call: "", errno: 0, path: ""),
    ]
    #expect(errors[1] == .readOnly)
  }

  @Test func migrations() async throws {
    let folder = try Folder()
    await (try await folder.store()).close()
    let migrator = SchemaMigrator {
      SchemaMigrationStep(toVersion: 2) { migration in
        try migration.renameProperty(onType: "Visit", from: "minutes", to: "duration")
        try migration.deleteType("Lending")
      }
      if true { SchemaMigrationStep(toVersion: 3) { migration in try migration.renameType(from: "Book", to: "Volume") } }
      if false { SchemaMigrationStep(toVersion: 9) { _ in } } else { SchemaMigrationStep(toVersion: 6) { _ in } }
      for version in [5, 4] { SchemaMigrationStep(toVersion: UInt64(version)) { _ in } }
    }
    #expect(migrator.steps(upgradingFrom: 2).map(\.toVersion) == [3, 4, 5, 6])
    #expect(SchemaMigrator(steps: []).steps(upgradingFrom: 0).isEmpty)
    var configuration = folder.configuration {
      $0.schemaVersion = 2
      $0.objectTypes = []
    }
    configuration.migrate = migrator.migrationBlock
    let store = ObjectStore(configuration: configuration)
    let report = try #require(try await store.open().migration)
    #expect(report.fromVersion == 1 && report.toVersion == 2 && report.changedObjectCount == 0 && report.copy == nil)
    for difference: SchemaDifference in report.differences {
      _ = (difference.type, difference.property, difference.kind, difference.isAdditive, difference.description)
    }
    await store.close()
    let kinds: Set<SchemaDifference.Kind> = [
      .typeAdded, .typeRemoved, .propertyAdded, .propertyRemoved, .propertyTypeChanged(from: "int", to: "text"), .primaryKeyChanged,
      .indexAdded, .indexRemoved,
    ]
    #expect(kinds.count == 8)
  }
}
