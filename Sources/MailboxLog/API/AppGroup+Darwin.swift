#if canImport(Darwin)
  import Foundation

  /// Why an app group's directory wasn't found.
  public enum AppGroupError: Error, Sendable, Equatable {
    /// The system knows no such group of this process: the entitlement is missing, of the app or of the extension, or names another group.
    case notEntitled(group: String)
  }

  /// The directory that an app and its extensions share.
  public enum AppGroup {
    /// Where a mailbox or a log of this name goes, for both sides: `MailboxWriter(directory: try AppGroup.path(of: "inbox.mailbox", in: group))`.
    ///
    /// Nothing is made. Foundation is asked, which every process of these systems has loaded.
    /// - Throws: ``AppGroupError/notEntitled(group:)``.
    public static func path(of name: String, in group: String) throws(AppGroupError) -> String {
      guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw .notEntitled(group: group)
      }
      return container.appendingPathComponent(name).path
    }
  }
#endif
