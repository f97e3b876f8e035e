import Foundation
import MailboxLog
import TestSupport
import Testing

/// The mailbox is deleted while a writer has it open.
@Suite struct DeletedMailboxTests {
  @Test("An append to a deleted mailbox is an error, and goes to the new one once there is one", arguments: [true, false])
  func deleted(isDurable: Bool) throws {
    let place = TemporaryDirectory()
    let directory = place.path(of: "inbox.mailbox")
    var options = LogOptions()
    options.durability = isDurable ? .powerLoss : .processCrash
    let writer = try MailboxWriter(directory: directory, options: options)
    for index in 0..<3 { try writer.append(id: "before \(index)", payload: []) }
    try FileManager.default.removeItem(atPath: directory)
    // An unsynced append looks once a millisecond.
    usleep(5_000)
    #expect(throws: LogError.notFound(path: directory)) { try writer.append(id: "nowhere", payload: []) }
    let other = try MailboxWriter(directory: directory, options: options)
    try other.append(id: "other", payload: [])
    try writer.append(id: "after", payload: [])
    var ids: [String] = []
    try MailboxReader(directory: directory).forEachPending { ids.append($0.id) }
    #expect(ids.sorted() == ["after", "other"])
  }
}
