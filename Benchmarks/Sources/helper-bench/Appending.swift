import CMeasure
import MailboxLog

/// As many bytes as the floor and the peers append.
let id = "an-id-of-twenty-four-byt"
let payload = [UInt8](repeating: 1, count: 200)

/// What a helper does in its life: open, append one, close.
func appendOnce(_ arguments: Arguments) throws(LogError) {
  measure_begin()
  let begin = measure_now()
  let options = try arguments.options()
  let setup = measure_now() - begin
  let outbox = try MailboxWriter(directory: arguments.directory, options: options)
  try outbox.append(id: id, payload: payload)
  outbox.close()
  measure_end()
  measure_report(1, arguments.keyBytes == nil ? 0 : setup)
}

/// Appends by a process that stays; opening isn't counted.
func appendMany(_ arguments: Arguments) throws(LogError) {
  let outbox = try MailboxWriter(directory: arguments.directory, options: arguments.options())
  if arguments.keepsLaps { measure_keep_laps(UInt64(arguments.count)) }
  if let uptime = arguments.startAtUptime { measure_wait_for_uptime(uptime) }
  measure_begin()
  if arguments.batchCount > 1 {
    try appendBatches(arguments, to: outbox)
  } else {
    for _ in 0..<arguments.count {
      try outbox.append(id: id, payload: payload)
      measure_lap()
    }
  }
  measure_end()
  outbox.close()
  measure_report(UInt64(arguments.count), 0)
}

private func appendBatches(_ arguments: Arguments, to outbox: MailboxWriter) throws(LogError) {
  var remaining = arguments.count
  while remaining > 0 {
    let count = min(remaining, arguments.batchCount)
    try outbox.appendBatch { batch in
      for _ in 0..<count { batch.append(id: id, payload: payload) }
    }
    measure_lap()
    remaining -= count
  }
}

/// Prepares a mailbox with so many pending entries, quickly, and leaves nothing for the kernel to write back later.
func fill(_ arguments: Arguments) throws(LogError) {
  var filling = arguments
  filling.isSynced = false
  filling.batchCount = 256
  let outbox = try MailboxWriter(directory: arguments.directory, options: filling.options())
  try appendBatches(filling, to: outbox)
  try outbox.synchronize()
  outbox.close()
}
