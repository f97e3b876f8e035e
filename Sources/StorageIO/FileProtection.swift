/// What Apple's systems are told about a file that is made: who may read it when, and whether backups leave it out.
package struct FileProtection: Sendable {
  /// As the kernel numbers them.
  package enum ProtectionClass: Int32, Sendable {
    case complete = 1, completeUnlessOpen = 2, completeUntilFirstUserAuthentication = 3
  }
  package var protectionClass: ProtectionClass
  package var isExcludedFromBackup: Bool

  package init(
    _ protectionClass: ProtectionClass = .completeUntilFirstUserAuthentication, isExcludedFromBackup: Bool = true
  ) {
    self.protectionClass = protectionClass
    self.isExcludedFromBackup = isExcludedFromBackup
  }
}
