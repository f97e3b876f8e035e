import CMeasure
import MailboxLog

/// Reads every pending entry in place; with `--acknowledge` in batches of 500, each acknowledged before the next.
func drain(_ arguments: Arguments) throws(LogError) {
  let inbox = try MailboxReader(directory: arguments.directory, options: arguments.options())
  var byteCount = 0
  var entryCount = 0
  measure_begin()
  if arguments.acknowledges {
    var positions: [MailboxPosition] = []
    repeat {
      positions.removeAll(keepingCapacity: true)
      entryCount += try inbox.forEachPending(limit: 500) { entry throws(LogError) in
        byteCount += try entry.withPayloadSpan { span throws(LogError) in span.count }
        positions.append(entry.position)
      }
      try inbox.acknowledge(positions)
    } while !positions.isEmpty
  } else {
    entryCount = try inbox.forEachPending { entry throws(LogError) in
      byteCount += try entry.withPayloadSpan { span throws(LogError) in span.count }
    }
  }
  measure_end()
  inbox.close()
  // Every entry was made with the same payload: another sum means that something else was read.
  precondition(byteCount == entryCount * payload.count, "the mailbox holds entries of another program")
  measure_report(UInt64(entryCount), 0)
}
