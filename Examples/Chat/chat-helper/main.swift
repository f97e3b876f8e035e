internal import ChatPush
internal import MailboxLog

/// `chat-helper`, the notification extension: opens the pushes it is handed and puts the messages into the mailbox.
///
/// It limits itself before it does anything else, uses no concurrency, and its one word about a message is `ok ID` on standard
/// output, after the append (`kept` for a push that it had no time to open): who sent the push may forget it then. It ends with `end PEAK_KIB NANOSECONDS COUNT`.
let started = monotonicNanoseconds()
#if !UNLIMITED
  limitAddressSpace(to: 24 << 20)
#endif

func run() -> Int32 {
  do throws(HelperError) {
    let arguments = try HelperArguments(RawArguments(commandLineBytes()))
    var delivery = try Delivery(arguments)
    if arguments.isExpired {
      try delivery.keepUnopened()
    } else {
      try delivery.deliverAll(lineCountMax: arguments.isLongLived ? .max : 1)
    }
    delivery.close()
    writeOut(endLine(peakKibibytes(), monotonicNanoseconds() - started, delivery.count))
    return 0
  } catch {
    writeError("chat-helper: \(error)\n")
    return error.exitCode
  }
}

exitProcess(run())
