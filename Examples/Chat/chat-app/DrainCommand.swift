internal import Anteroom
internal import Dispatch
internal import Glibc

/// `chat-app drain`: promotes mail as it comes, until it is killed or its parent is gone.
struct DrainCommand {
  private var mailbox = ""
  private var target = MessageTarget.store
  private var database = ""
  private var mailboxKeyFile: String?
  private var storeKeyFile: String?
  private var pushKeyFile: String?

  init(_ arguments: some Sequence<String>) throws(ChatError) {
    var rest = ArgumentList(Array(arguments))
    while let name = rest.next() {
      switch name {
      case "--mailbox": mailbox = try rest.value(of: name)
      case "--target": target = try rest.target(of: name)
      case "--database": database = try rest.value(of: name)
      case "--mailbox-key": mailboxKeyFile = try rest.value(of: name)
      case "--push-key": pushKeyFile = try rest.value(of: name)
      case "--store-key": storeKeyFile = try rest.value(of: name)
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
    let store = try await target.open(
      mailbox: mailbox, options: LogOptions(key: key), pushKey: try pushKeyFile.map(KeyFile.read), database: database,
      storeKey: try storeKeyFile.map(KeyFile.read))
    print("ready")
    flushOutput()
    try await store.drainForever()
  }
}
