/// A message on its way: sealed once by the server, and sent as often as it takes.
struct Push: Sendable {
  let messageId: [UInt8]
  let sealedLine: [UInt8]
  /// Whether it is a second delivery of a push that is also sent otherwise.
  var isCopy = false

  var copy: Push { Push(messageId: messageId, sealedLine: sealedLine, isCopy: true) }
}

/// What a helper says on standard output.
enum HelperAnswer {
  case acknowledged(messageId: [UInt8])
  /// The push is in the mailbox as it came.
  case kept
  case ended(HelperFigures)

  init(_ line: [UInt8]) throws(ChatError) {
    if line.starts(with: Array("ok ".utf8)) {
      self = .acknowledged(messageId: Array(line.dropFirst(3)))
      return
    }
    if line.elementsEqual("kept".utf8) {
      self = .kept
      return
    }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 4, words[0] == "end", let peak = Int(words[1]), let time = UInt64(words[2]), let count = Int(words[3])
    else { throw .unexpectedAnswer(String(decoding: line, as: UTF8.self)) }
    self = .ended(HelperFigures(peakKibibytes: peak, nanoseconds: time, messageCount: count))
  }
}

/// What a helper measured of itself.
struct HelperFigures: Sendable {
  let peakKibibytes: Int
  let nanoseconds: UInt64
  let messageCount: Int
}
