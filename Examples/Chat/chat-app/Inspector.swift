/// Asks kvtool, which was built together with this program, what it sees in the mailbox.
enum Inspector {
  /// Prints what kvtool says. - Returns: how it ended.
  static func run(_ place: Workplace, isPlain: Bool) throws(ChatError) -> ProcessEnd {
    let arguments = ["info", place.mailbox] + (isPlain ? [] : ["--key-file", place.mailboxKeyFile])
    print("\nkvtool info \(place.mailbox)")
    let channel = try HelperChannel(place.kvtool, arguments)
    channel.finishInput()
    channel.flush()
    while !channel.isAtEnd {
      for line in try channel.receive(isAwaited: true) { print("  \(String(decoding: line, as: UTF8.self))") }
      if !channel.isAtEnd { waitForDescriptors(reading: [channel.process.output], writing: [], nanoseconds: 100_000_000) }
    }
    flushOutput()
    return channel.process.wait()
  }
}
