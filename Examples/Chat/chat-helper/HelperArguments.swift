internal import MailboxLog

/// What the command line says. Keys are never in it, only the files that hold them.
struct HelperArguments {
  static let usage = """
    usage: chat-helper --mailbox DIR --push-key FILE [--mailbox-key FILE] [--long-lived] [--durability process|power]
                       [--expired]

    Reads sealed pushes from standard input, one a line (without --long-lived: one), and appends their messages.
    --expired: there is no time to open it, so the push itself is appended; prints 'kept'.
    Prints 'ok ID' for each, then 'end PEAK_KIB NANOSECONDS COUNT'. Key files hold 32 bytes and are 0600;
    without --mailbox-key the mailbox is plain. The default durability is power.
    """

  var mailbox = ""
  var pushKeyFile = ""
  /// Empty for a plain mailbox.
  var mailboxKeyFile = ""
  var isLongLived = false
  /// As in `serviceExtensionTimeWillExpire`.
  var isExpired = false
  var durability = LogDurability.powerLoss

  init(_ arguments: consuming RawArguments) throws(HelperError) {
    while !arguments.isAtEnd {
      if arguments.take("--mailbox") {
        mailbox = arguments.takeValue()
      } else if arguments.take("--push-key") {
        pushKeyFile = arguments.takeValue()
      } else if arguments.take("--mailbox-key") {
        mailboxKeyFile = arguments.takeValue()
      } else if arguments.take("--long-lived") {
        isLongLived = true
      } else if arguments.take("--expired") {
        isExpired = true
      } else if arguments.take("--durability") {
        if arguments.take("process") {
          durability = .processCrash
        } else if !arguments.take("power") {
          throw .usage
        }
      } else {
        throw .usage
      }
    }
    if mailbox.utf8.isEmpty || pushKeyFile.utf8.isEmpty { throw .usage }
  }
}
