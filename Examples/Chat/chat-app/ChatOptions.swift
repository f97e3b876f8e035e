/// What a run does; each default is what `Examples/run-chat` shows without arguments.
struct ChatOptions: Sendable {
  static let usage = """
    usage: chat-app [--input FILE] [--one-shot N] [--long-lived N] [options]
           chat-app rate [--input FILE] [--messages N] [--target NAME] [--plain] [--scatter-ids] [--directory DIR]

      --input FILE      JSON Lines, also gzipped (default: the example's sample)
      --messages N      only the first N messages of it
      --one-shot N      pushes that get a helper of their own (default 400)
      --long-lived N    helpers that share the rest, at the same time (default 4)
      --kill-rate R     share of one-shot helpers, and of each 100 messages of a long-lived one, that meet SIGKILL (0.05)
      --double-rate R   share of pushes that are delivered twice at the same moment (0.02)
      --expire-rate R   share of one-shot helpers whose time is up before they have opened their push (0.05)
      --drain-kills N   how often the draining process meets SIGKILL (5)
      --drain-last      drain only at the end, so that everything is pending until then
      --peak-limit KIB  the run fails if a helper's peak memory is above this
      --durability D    of long-lived helpers: process (default) or power; one-shot helpers use power
      --plain           without encryption of mailbox and store; pushes stay sealed
      --directory DIR   work there and keep it (default: a new temporary directory, removed at the end)
      --helper FILE     the helper (default: chat-helper beside this program)
      --target NAME     what mail is promoted into: store, an ObjectStore (default), or sqlite, which doesn't encrypt
      --seed N          for the choice of what is killed and doubled (default 1)
      --ci              a quick run with more deaths
      --help            this text

    rate fills a mailbox with N messages (default 200000), the input's again and again, and tells how fast they are promoted;
    its targets are store, sqlite and, where the library of SQLCipher is preloaded, sqlcipher. With --scatter-ids, those of later rounds
    fall everywhere among the earlier ones.

    Exit code: 0 when every message is in the store exactly once and equal to the byte, 1 when not.
    """

  var input = "Examples/Chat/Sample/chat-sample.jsonl.gz"
  var messageCountMax = Int.max
  var oneShotCount = 400
  var longLivedCount = 4
  var killRate = 0.05
  var doubleRate = 0.02
  var expireRate = 0.05
  var drainKillCount = 5
  var drainsLast = false
  var peakLimit: Int?
  var durability = "process"
  var isPlain = false
  var target = MessageTarget.store
  var directory: String?
  var helper: String?
  var seed: UInt64 = 1

  init() {}

  /// - Returns: nil when help is asked for.
  init?(_ arguments: [String]) throws(ChatError) {
    var rest = ArgumentList(arguments)
    while let name = rest.next() {
      switch name {
      case "--help", "-h": return nil
      case "--input": input = try rest.value(of: name)
      case "--messages": messageCountMax = try rest.count(of: name)
      case "--one-shot": oneShotCount = try rest.count(of: name)
      case "--long-lived": longLivedCount = try rest.count(of: name)
      case "--kill-rate": killRate = try rest.rate(of: name)
      case "--double-rate": doubleRate = try rest.rate(of: name)
      case "--expire-rate": expireRate = try rest.rate(of: name)
      case "--drain-kills": drainKillCount = try rest.count(of: name)
      case "--drain-last": drainsLast = true
      case "--peak-limit": peakLimit = try rest.count(of: name)
      case "--durability": durability = try rest.choice(of: name, among: ["process", "power"])
      case "--plain": isPlain = true
      case "--directory": directory = try rest.value(of: name)
      case "--helper": helper = try rest.value(of: name)
      case "--target": target = try rest.target(of: name)
      case "--seed": seed = UInt64(try rest.count(of: name))
      case "--ci": useQuickForm()
      default: throw .usage("unknown option \(name)")
      }
    }
  }

  private mutating func useQuickForm() {
    oneShotCount = 150
    longLivedCount = 2
    killRate = 0.15
    doubleRate = 0.05
    drainKillCount = 4
  }
}
