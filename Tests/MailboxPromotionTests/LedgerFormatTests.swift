import Foundation
import MailboxLog
import TestSupport
import Testing

@testable import MailboxPromotion

/// Every row reads back as it was written, and nothing else is taken for one.
@Suite struct LedgerFormatTests {
  private let position = MailboxPosition(segment: MailboxSegmentID(high: 0x0102, low: .max), sequence: 7)
  private let time = LogTimestamp(secondsSinceReferenceDate: 700_000_000.25)

  @Test func rowsOfOneLength() {
    let key = Array("k".utf8)
    let segment = LedgerRow.Segment(sequence: 9, mailbox: .max - 1)
    #expect(LedgerRow.Segment(segment.value(forKey: key), forKey: key) == segment)
    var order = LedgerRow.Order(recordedAt: time, mark: .max - 2, segment: position.segment)
    let names = [Array("a".utf8), [], Array(repeating: 7, count: 300)]
    for (sequence, name) in names.enumerated() { order.append(name, appendedAt: time, sequence: UInt64(sequence)) }
    #expect(LedgerRow.Order(order.value(forKey: key), forKey: key) == order)
    #expect(order.value(forKey: key).count == order.byteCount)
    let last = MailboxPosition(segment: position.segment, sequence: 2)
    #expect(order.place(2, withKey: names[2]) == LedgerRow.Place(appendedAt: time, position: last))
    #expect(order.place(2, withKey: names[0]) == nil)
    #expect(order.dropping(2).place(0, withKey: names[2]) == order.place(2, withKey: names[2]))
    let waiting = LedgerRow.Waiting(position: position)
    #expect(LedgerRow.Waiting(waiting.value(forKey: key), forKey: key) == waiting)
    let counters = LedgerRow.Counters(
      windowEntryCount: 1, windowByteCount: 2, nextOrder: 3, quarantinedCount: 4, nextWaiting: 5, promotedCount: 6,
      duplicateCount: 7, lastPromotedAt: time)
    #expect(LedgerRow.Counters(counters.value(forKey: key), forKey: key) == counters)
    #expect(LedgerRow.Counters(LedgerRow.Counters().value(forKey: key), forKey: key) == LedgerRow.Counters())
  }

  private func quarantineRow(appVersion: [UInt8]?) -> QuarantineRow {
    QuarantineRow(
      isOpened: true, hasFields: false, id: Array("ä".utf8), reason: Array("why".utf8), appVersion: appVersion, schemaVersion: 4,
      attemptCount: 2, retryCount: 1, appendedAt: time, quarantinedAt: time, waiting: 11, bytes: [0, 255, 0])
  }

  @Test(arguments: [nil, [], Array("1.2".utf8)] as [[UInt8]?]) func quarantine(appVersion: [UInt8]?) {
    let key = LedgerKey.quarantine(position)
    let row = quarantineRow(appVersion: appVersion)
    #expect(QuarantineRow(row.value(forKey: key), forKey: key) == row)
  }

  @Test("A flipped bit, a cut, an added byte and another row's key are damage")
  func damage() {
    let key = LedgerKey.segment(position.segment)
    let value = LedgerRow.Segment(sequence: 9, mailbox: 1).value(forKey: key)
    for bit in 0..<(value.count * 8) {
      var flipped = value
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(LedgerRow.Segment(flipped, forKey: key) == nil)
    }
    for count in 0..<value.count { #expect(LedgerRow.Segment(Array(value[..<count]), forKey: key) == nil) }
    #expect(LedgerRow.Segment(value + [0], forKey: key) == nil)
    #expect(LedgerRow.Segment(value, forKey: key + [0]) == nil)
    let long = quarantineRow(appVersion: nil).value(forKey: key)
    for count in 0..<long.count { #expect(QuarantineRow(Array(long[..<count]), forKey: key) == nil) }
  }

  @Test func keys() {
    var row = LedgerBytes(byteCount: 1 + LedgerFormat.positionByteCount)
    row.put(position, at: 1)
    #expect(row.position(at: 1) == position)
    #expect(Array(row.bytes.dropFirst()) == LedgerKey.bytes(position))
    #expect(LedgerKey.segment(LedgerKey.segment(position.segment)) == position.segment)
    #expect(LedgerKey.segment(LedgerKey.segment(position.segment) + [1]) == nil)
    #expect(LedgerKey.number(LedgerKey.order(1 << 40), after: LedgerFormat.Prefix.order) == 1 << 40)
    #expect(LedgerKey.order(255).lexicographicallyPrecedes(LedgerKey.order(256)))
    #expect(LedgerKey.entry(id: "a") == [0] + Array("a".utf8))
    #expect(LedgerKey.entry(duplicateKey: "a") != LedgerKey.entry(id: "a"))
    #expect(LedgerFormat.readable(Array("order/".utf8) + [0, 0xFF]) == "order/\\x00\\xff")
  }

  @Test("An id of any length has a key of its own, within the bound")
  func longIDs() {
    let ids = [400, 401, 4_000].flatMap { count in ["a", "b"].map { String(repeating: "x", count: count - 1) + $0 } }
    let keys = ids.map(LedgerKey.entry(id:))
    #expect(Set(keys).count == ids.count)
    #expect(keys.allSatisfy { $0.count <= LedgerFormat.keyByteCountMax })
  }

  @Test func textIsCutWhereACharacterBegins() {
    #expect(QuarantineRow.bounded("aä", 3) == Array("aä".utf8))
    #expect(QuarantineRow.bounded("aä", 2) == Array("a".utf8))
    #expect(QuarantineRow.bounded("ä", 0) == [])
  }

  @Test("The article's table says what the code does")
  func article() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = package.appending(path: "Sources/MailboxPromotion/MailboxPromotion.docc/MailboxPromotion.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    func row(_ prefix: [UInt8], _ fields: String) -> Bool {
      text.contains("| `\(String(decoding: prefix, as: UTF8.self))` |") && text.contains("| \(fields) |")
    }
    typealias Format = LedgerFormat
    #expect(row(Format.Prefix.segment, "\(Format.SegmentRow.sequence) sequence, \(Format.SegmentRow.mailbox) mailbox"))
    let order = Format.OrderRow.self
    #expect(
      row(
        Format.Prefix.order,
        "\(order.recordedAt) recorded at, \(order.mark) mark, \(order.segment) segment id, \(order.places) entries"))
    let place = Format.Place.self
    #expect(
      text.contains(
        "\(place.appendedAt) appended at, \(place.sequence) sequence, \(place.keyByteCount) length of the key (2 bytes), "
          + "\(place.byteCount) key"))
    #expect(row(Format.Prefix.waiting, "\(Format.WaitingRow.position) position"))
    let counters = Format.CountersRow.self
    #expect(
      row(
        Format.Prefix.counters,
        "\(counters.windowEntryCount) ids, \(counters.windowByteCount) their bytes, \(counters.nextOrder) next order, "
          + "\(counters.quarantinedCount) in quarantine, \(counters.nextWaiting) next in quarantine, "
          + "\(counters.promotedCount) promoted, \(counters.duplicateCount) duplicates, \(counters.lastPromotedAt) last promoted at"
      ))
    let quarantine = Format.QuarantineRow.self
    #expect(
      row(
        Format.Prefix.quarantine,
        "\(quarantine.flags) flags, \(quarantine.appVersionByteCount) length of app version, "
          + "\(quarantine.reasonByteCount) of reason, \(quarantine.idByteCount) of id, \(quarantine.schemaVersion) schema version, "
          + "\(quarantine.attemptCount) attempts, \(quarantine.retryCount) retries, \(quarantine.appendedAt) appended at, "
          + "\(quarantine.quarantinedAt) quarantined at, \(quarantine.waiting) order, "
          + "\(quarantine.parts) id, reason, app version, bytes"))
  }
}
