import Anteroom
import Glibc

/// Lines on standard error, with the level in front that the journal reads, and the numbers of events, which never change.
struct JournalLog: Sendable {
  enum Level: Int { case error = 3, warning = 4, info = 6 }

  func tell(_ level: Level, _ text: String) {
    let bytes = Array("<\(level.rawValue)>\(text)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }

  func tell(_ event: LogEvent) {
    let isOdd = [.damageFound, .oldestDropped].contains(event.kind)
    tell(isOdd ? .warning : .info, "mailbox event \(event.kind.rawValue): \(event.message)")
  }

  func tell(_ event: PromotionEvent) {
    tell(event.kind == .batchCommitted ? .info : .warning, "promotion event \(event.kind.rawValue): \(event.message)")
  }
}
