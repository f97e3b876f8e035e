public import Foundation
public import MailboxLog
public import MailboxPromotion
public import ObjectStorage

extension LogError: @retroactive LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
extension StorageError: @retroactive LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
extension QueryError: @retroactive LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
extension PromotionError: @retroactive LocalizedError {
  /// One sentence for people.
  public var errorDescription: String? { description }
}
