/// What both kinds of delivery share: how helpers are started, what the dice say, what has happened, and the draining process.
final class Dispatcher {
  let options: ChatOptions
  let place: Workplace
  let drainer: DrainSupervisor
  var random: SeededRandom
  var statistics = RunStatistics()

  init(options: ChatOptions, place: Workplace, drainer: DrainSupervisor) {
    self.options = options
    self.place = place
    self.drainer = drainer
    random = SeededRandom(seed: options.seed)
  }

  /// - Parameter isExpired: whether the helper's time is up before it has opened its push.
  func startHelper(isLongLived: Bool, isExpired: Bool = false) throws(ChatError) -> HelperChannel {
    var arguments = ["--mailbox", place.mailbox, "--push-key", place.pushKeyFile]
    if !options.isPlain { arguments += ["--mailbox-key", place.mailboxKeyFile] }
    if isExpired { arguments.append("--expired") }
    if isLongLived { arguments += ["--long-lived", "--durability", options.durability] }
    return try HelperChannel(place.helper, arguments)
  }

  /// Sleeps until a child has something to say, can take something, or a death is due; and looks after the draining process.
  func wait(for channels: [HelperChannel], until deadline: UInt64?) throws(ChatError) {
    let now = monotonicNanoseconds()
    let next = min(deadline ?? .max, drainer.diesAt ?? .max)
    let remaining = min(next > now ? next - now : 0, 100_000_000)
    waitForDescriptors(
      reading: channels.map(\.process.output) + drainer.descriptors,
      writing: channels.filter(\.wantsWrite).map(\.process.input), nanoseconds: remaining)
    try drainer.look(statistics: &statistics)
  }
}
