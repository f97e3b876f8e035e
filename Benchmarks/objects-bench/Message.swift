import Foundation
import ObjectStorage

/// What the workloads are about; the peers have the same in a table.
struct Message: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var conversation = ""
  @Persisted var sentAt = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var body = ""
  @Persisted var isRead = false
  @Persisted var size = 0

  static let indexes: [StorageIndex<Message>] = [.index(\.conversation, \.sentAt), .index(\.sentAt)]
}

/// The messages' contents, made before the time is taken. `Sources/object-peers/messages.h` makes the same.
struct Samples: Sendable {
  static let conversationCount = 1000
  static let needle = "needle"
  private static let words = [
    "the", "meeting", "tomorrow", "is", "at", "noon", "please", "bring", "your", "notes", "and", "a", "cup", "of", "coffee", "too",
  ]

  let ids: [String]
  let bodies: [String]
  let conversations: [String]

  init(_ range: Range<Int>) {
    ids = range.map { Self.id($0) }
    bodies = range.map { Self.body($0) }
    conversations = (0..<Self.conversationCount).map { Self.conversation($0) }
  }

  /// - Parameter number: of the message; its text is the one at `place`.
  func message(_ number: Int, at place: Int) -> Message {
    Message(
      id: ids[place], conversation: conversations[number % Self.conversationCount],
      sentAt: Date(timeIntervalSinceReferenceDate: Double(number) / 4), body: bodies[place], isRead: number % 2 == 1,
      size: number &* 7_368_787 % 1_000_000)
  }

  /// 16 digits, one to one, in no order.
  static func id(_ number: Int) -> String { hexadecimal(mixed(UInt64(number)), 16) }
  static func conversation(_ number: Int) -> String { "conversation-" + hexadecimal(mixed(UInt64(number)), 8) }

  /// 200 bytes of words; in one of a hundred the needle.
  static func body(_ number: Int) -> String {
    var text = ""
    var bits = mixed(UInt64(number) &+ 1 << 32)
    while text.utf8.count < 200 {
      text += words[Int(bits & 15)] + " "
      bits = bits & 15 << 60 | bits >> 4
      bits = bits &* 0x9E37_79B9_7F4A_7C15 ^ bits >> 29
    }
    text = String(text.prefix(200))
    return number % 100 == 7 ? String(text.prefix(100)) + needle + String(text.suffix(94)) : text
  }

  private static func hexadecimal(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number >> UInt64(64 - 4 * count), radix: 16)
    return String(repeating: "0", count: count - digits.utf8.count) + digits
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    var number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }
}

/// Another random order than that of the insertion.
func shuffled(_ index: Int, _ count: Int) -> Int { index * 7_368_787 % count }
