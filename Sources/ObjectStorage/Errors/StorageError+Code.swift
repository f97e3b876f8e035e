extension StorageError {
  /// A small number that never changes its meaning.
  public var code: UInt8 {
    switch self {
    case .storeNotOpen: 1
    case .openFailed: 2
    case .suspended: 4
    case .forkedHandle: 5
    case .failedEarlier: 6
    case .cancelled: 7
    case .notFound: 10
    case .notAStore: 11
    case .unsupportedFormat: 12
    case .corrupted: 13
    case .storageDirectoryUnavailable: 14
    case .fileExists: 15
    case .replaced: 16
    case .system: 17
    case .notAFile: 18
    case .wrongKey: 20
    case .keyRequired: 21
    case .keyNotExpected: 22
    case .keyChanged: 23
    case .encryptionKeyInvalidLength: 24
    case .secretUnavailable: 25
    case .protectedData: 26
    case .passphraseEmpty: 27
    case .invalidSchema: 30
    case .schemaTooNew: 31
    case .migrationNeeded: 32
    case .migrationFailed: 33
    case .objectNotFound: 40
    case .duplicateKey: 41
    case .deleteDenied: 42
    case .valueTooLarge: 43
    case .keyTooLarge: 44
    case .typeNotListed: 45
    case .query: 46
    case .noSpace: 50
    case .full: 51
    case .busy: 52
    case .readOnly: 53
    case .nestedWrite: 54
    case .transactionEnded: 55
    case .snapshotExpired: 56
    }
  }
}

extension StorageError: Equatable {
  /// Equal when the cases are; payloads are left out, but for a query's error and a page number. For tests and `catch` clauses.
  public static func == (a: StorageError, b: StorageError) -> Bool {
    switch (a, b) {
    case (.query(let a), .query(let b)): a == b
    case (.corrupted(let a, _), .corrupted(let b, _)): a == b
    default: a.code == b.code
    }
  }
}
