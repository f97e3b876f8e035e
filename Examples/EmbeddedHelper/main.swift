import MailboxLog

// The whole of tier one as Embedded Swift: encrypted, with no runtime, no reflection and no existentials.
//
//     ANTEROOM_EMBEDDED=1 swift build -c release --scratch-path .build-embedded --product embedded-helper
//
// The mailbox is `inbox.mailbox` in the current directory: Embedded Swift has no `CommandLine`. Whatever isn't as it should be
// ends in a trap, and so in an exit code other than 0.

/// Appends in each of the ways there are, reads everything back and acknowledges it. - Returns: entries read.
func helper(directory: String) throws(LogError) -> Int {
  let key = try EncryptionKey([UInt8](repeating: 7, count: 32))
  let outbox = try MailboxWriter(directory: directory, options: LogOptions(key: key))
  try outbox.append(id: "a payload", payload: [1, 2, 3])
  try outbox.append(id: "fields", schemaVersion: 3, timeout: .seconds(1)) { fields in
    fields.set("conversationId", "c1")
    fields.set("text", "Grüße")
    fields.set("unread", 3)
  }
  try outbox.appendBatch { batch in
    batch.append(id: "first of two", payload: [4])
    batch.append(id: "second of two") { fields in fields.set("isLast", true) }
  }
  outbox.close()

  let inbox = try MailboxReader(directory: directory, options: LogOptions(key: key))
  var positions: [MailboxPosition] = []
  var unread = 0
  try inbox.forEachPending { entry throws(LogError) in
    if entry.has("unread") { unread += try entry.int("unread") }
    positions.append(entry.position)
  }
  try inbox.acknowledge(positions)
  let isEmpty = try inbox.pendingCount == 0
  inbox.close()
  return isEmpty && unread % 3 == 0 && unread > 0 ? positions.count : 0
}

do throws(LogError) {
  let count = try helper(directory: "inbox.mailbox")
  if count < 4 { fatalError("what was read isn't what was appended") }
  print("ok \(count)")
} catch {
  print(error.description)
  fatalError("the mailbox failed")
}
