import MailboxLog

/// MODE [DIRECTORY [COUNT]] and options, in any order.
struct Arguments {
  var mode = ""
  var directory = ""
  var count = 0
  var batchCount = 1
  var keyBytes: [UInt8]?
  var isSynced = true
  var keepsLaps = false
  var acknowledges = false
  var startAtUptime: Double?

  /// nil when a word is none of ours.
  init?(_ words: some Sequence<String>) {
    var positional: [String] = []
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      switch word {
      case "--unsynced": isSynced = false
      case "--laps": keepsLaps = true
      case "--acknowledge": acknowledges = true
      case "--key-hex":
        guard let bytes = iterator.next().flatMap(Self.bytes(hexadecimal:)) else { return nil }
        keyBytes = bytes
      case "--batch":
        guard let count = iterator.next().flatMap({ Int($0) }), count > 0 else { return nil }
        batchCount = count
      case "--start-at":
        guard let uptime = iterator.next().flatMap({ Double($0) }) else { return nil }
        startAtUptime = uptime
      default:
        if word.utf8.first == UInt8(ascii: "-") { return nil }
        positional.append(word)
      }
    }
    guard (1...3).contains(positional.count) else { return nil }
    mode = positional[0]
    if positional.count > 1 { directory = positional[1] }
    if positional.count > 2 {
      guard let count = Int(positional[2]), count >= 0 else { return nil }
      self.count = count
    }
  }

  /// Makes the key anew: what that costs is a part of what a helper pays.
  func options() throws(LogError) -> LogOptions {
    var options = LogOptions()
    if let keyBytes { options.key = try EncryptionKey(keyBytes) }
    options.durability = isSynced ? .powerLoss : .processCrash
    // A million records don't fit the default.
    options.capacity = 4 << 30
    return options
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
