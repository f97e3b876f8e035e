import ObjectStorage

/// The errors of stores, as exit codes and sentences.
extension ToolFailure {
  init(_ error: StorageError) {
    switch error {
    case .notFound(let path): self.init(.noSuchFile, "no such file or directory", path: path.nonEmpty)
    case .notAStore(let path): self.init(.badData, "not a store", path: path.nonEmpty)
    case .notAFile(let path): self.init(.badData, "not a file", path: path.nonEmpty)
    case .replaced(let path): self.init(.inputOutput, "the file was replaced, moved or removed meanwhile", path: path.nonEmpty)
    case .system(let call, let errno, let path):
      self.init(errno: errno, call: call, path: path)
    case .snapshotExpired:
      self.init(.busy, "writers went on, and what was being read is gone; run it again, or on a copy")
    case .query(.unknownType(let name)): self.init(.usage, "no type '\(printable(name))' in this store", path: "")
    case .query: self.init(.usage, error.description, path: "")
    default: self.init(Self.code(error), error.description)
    }
  }

  private static func code(_ error: StorageError) -> ExitCode {
    switch error {
    case .notFound, .objectNotFound: .noSuchFile
    case .wrongKey, .keyRequired, .keyNotExpected, .keyChanged, .encryptionKeyInvalidLength, .passphraseEmpty,
      .secretUnavailable, .protectedData,
      .readOnly:
      .noPermission
    case .query: .usage
    case .busy, .snapshotExpired: .busy
    case .noSpace, .full, .suspended, .storeNotOpen, .forkedHandle, .failedEarlier, .replaced, .openFailed,
      .storageDirectoryUnavailable, .system:
      .inputOutput
    default: .badData
    }
  }
}
