internal import Dispatch
internal import Glibc
internal import MailboxLog
internal import MailboxPromotion

/// `chat-app drain`: promotes mail as it comes, until it is killed or its parent is gone.
struct DrainCommand {
  private var mailbox = ""
  private var database = ""
  private var mailboxKeyFile: String?

  init(_ arguments: some Sequence<String>) throws(ChatError) {
    var rest = ArgumentList(Array(arguments))
    while let name = rest.next() {
      switch name {
      case "--mailbox": mailbox = try rest.value(of: name)
      case "--database": database = try rest.value(of: name)
      case "--mailbox-key": mailboxKeyFile = try rest.value(of: name)
      default: throw .usage("unknown option \(name)")
      }
    }
  }

  /// Prints `ready` before the first drain, and then nothing: whoever wants to know what it did looks into the database.
  func run() async throws {
    // Standard input is a pipe from the parent that carries nothing: its end is the parent's end.
    let parent = DispatchSource.makeReadSource(fileDescriptor: 0)
    parent.setEventHandler { exit(0) }
    parent.activate()
    let key = try mailboxKeyFile.map { try EncryptionKey(KeyFile.read($0)) }
    let store = try MessageStore(mailbox: mailbox, options: LogOptions(key: key), database: database)
    print("ready")
    flushOutput()
    for try await _ in store.promoter.run() {}
  }
}
