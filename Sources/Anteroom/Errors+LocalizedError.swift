public import Foundation
public import MailboxLog
public import MailboxPromotion
public import ObjectStorage

extension LogError: LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
extension StorageError: LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
extension QueryError: LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { StorageError.query(self).description }
}
extension PromotionError: LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
