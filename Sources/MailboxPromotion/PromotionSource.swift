import MailboxListening
package import MailboxLog

/// What a drain needs of a mailbox. The library's one conformance is `MailboxReader`; tests have others.
package protocol PromotionSource: Sendable {
  var directory: String { get }
  /// Which directory it is, whatever path leads to it: two that have the same name somewhere are two.
  func directoryIdentity() throws(LogError) -> UInt64
  var pendingCount: Int { get throws(LogError) }
  func forEachPendingRecord(limit: Int, byteCountMax: Int, _ body: (borrowing MailboxEntry) throws -> Void) throws -> Int
  func acknowledge(_ positions: [MailboxPosition]) throws(LogError)
  func backlog() throws(LogError) -> MailboxBacklog
  func damage() throws(LogError) -> [DamageReport]
  func arrivals() -> MailboxArrivals
  func segmentIDs() throws(LogError) -> [MailboxSegmentID]
  func synchronizeRemovals() throws(LogError)
  func lastSequence(of segment: MailboxSegmentID) throws(LogError) -> UInt64?
  /// 0: a batch is promoted and not committed; 1: committed and not acknowledged; 2: acknowledged.
  func reachPromotionPoint(_ index: UInt8)
}

extension MailboxReader: PromotionSource {}
