/// Keeps the draining process alive, and kills it at chosen moments.
final class DrainSupervisor {
  /// A death comes this long after it is due and the process has opened its files: in the middle of a batch, mostly.
  private static let delayRange: ClosedRange<UInt64> = 0...60_000_000

  private let executable: String
  private let arguments: [String]
  /// Acknowledged pushes at which the next deaths are due, the last first.
  private var deaths: [Int] = []
  private var random: SeededRandom
  private var channel: HelperChannel?
  private var isReady = false
  private(set) var diesAt: UInt64?

  /// - Parameter arguments: what starts the draining process.
  /// - Parameter deathCount: how often it is killed while `pushCount` pushes are sent.
  init(
    executable: String, arguments: [String], deathCount: Int, pushCount: Int, random: SeededRandom
  ) throws(ChatError) {
    self.executable = executable
    self.arguments = arguments
    self.random = random
    for _ in 0..<deathCount { deaths.append(Int.random(in: 0...pushCount, using: &self.random)) }
    deaths.sort(by: >)
    channel = try HelperChannel(executable, arguments)
  }

  /// None runs: everything is drained at the end.
  init(idle executable: String) {
    self.executable = executable
    arguments = []
    random = SeededRandom(seed: 0)
  }

  var descriptors: [Int32] { channel.map { [$0.process.output] } ?? [] }
  var isDone: Bool { deaths.isEmpty }

  /// Hears whether the draining process is at work, kills it if it is time, and starts the next.
  func look(statistics: inout RunStatistics) throws(ChatError) {
    guard let channel else { return }
    try take(channel.receive(isAwaited: !isReady))
    if channel.isAtEnd { throw .childFailed(name: "the draining process", end: channel.process.wait()) }
    if diesAt == nil, isReady, let death = deaths.last, statistics.acknowledgedCount >= death {
      diesAt = monotonicNanoseconds() + UInt64.random(in: Self.delayRange, using: &random)
    }
    guard let time = diesAt, monotonicNanoseconds() >= time else { return }
    try take(channel.killAndReceive())
    statistics.drainKillCount += 1
    deaths.removeLast()
    diesAt = nil
    isReady = false
    self.channel = try HelperChannel(executable, arguments)
  }

  /// Kills the draining process for good, in the middle of whatever it does.
  func stop() throws(ChatError) {
    guard let channel else { return }
    try take(channel.killAndReceive())
    self.channel = nil
  }

  private func take(_ lines: [[UInt8]]) throws(ChatError) {
    for line in lines {
      guard line == Array("ready".utf8) else { throw .unexpectedAnswer(String(decoding: line, as: UTF8.self)) }
      isReady = true
    }
  }
}
