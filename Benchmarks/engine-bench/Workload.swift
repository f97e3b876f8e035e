import RawMemory
import Sealing
import StorageEngine

/// MODE FILE ENTRIES [OPERATIONS] and options, in any order.
struct Workload: Sendable {
  var mode = ""
  var path = ""
  var entryCount = 0
  var operationCount = 0
  var threadCount = 1
  var isSealed = false
  var isPinned = false
  var dirtyByteCountMax: Int?

  /// nil when a word is none of ours.
  init?(_ words: some Sequence<String>) {
    var positional: [String] = []
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      switch word {
      case "--sealed": isSealed = true
      case "--pinned": isPinned = true
      case "--threads":
        guard let count = iterator.next().flatMap({ Int($0) }), count > 0 else { return nil }
        threadCount = count
      case "--dirty-bytes":
        guard let count = iterator.next().flatMap({ Int($0) }), count > 0 else { return nil }
        dirtyByteCountMax = count
      default:
        if word.utf8.first == UInt8(ascii: "-") { return nil }
        positional.append(word)
      }
    }
    guard (1...4).contains(positional.count) else { return nil }
    mode = positional[0]
    if positional.count > 1 { path = positional[1] }
    if positional.count > 2 {
      guard let count = Int(positional[2]), count >= 0 else { return nil }
      entryCount = count
    }
    if positional.count > 3 {
      guard let count = Int(positional[3]), count >= 0 else { return nil }
      operationCount = count
    }
  }

  /// The cache holds every decrypted page, as the peers' caches do, and a transaction all that it changes.
  var options: EngineOptions {
    var options = EngineOptions()
    options.pageCacheByteCountMax = entryCount * 512 + 4 << 20
    options.dirtyPageByteCountMax = options.pageCacheByteCountMax
    if let dirtyByteCountMax { options.dirtyPageByteCountMax = dirtyByteCountMax }
    if isSealed { options.key = .secret(SecretBytes(copying: [UInt8](0..<32).span)) }
    return options
  }

  func open() throws(EngineError) -> Engine { try Engine.open(path: path, options: options) }
}

/// Keys of 16 bytes, made before the time is taken.
struct Keys: @unchecked Sendable {
  let count: Int
  private let buffer: ByteBuffer

  /// Hexadecimal digits: of the number itself for keys in order, mixed for the rest. `isShuffled` is another random order of the same
  /// keys than that of their insertion.
  init(_ first: Int, count: Int, isRandom: Bool, isShuffled: Bool = false) {
    self.count = count
    buffer = ByteBuffer(count: max(count, 1) * 16)
    for index in 0..<count {
      let number = UInt64(first + (isShuffled ? index * 7_368_787 % count : index))
      let digits = isRandom ? Self.mixed(number) : number
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: digits >> UInt64(60 - 4 * place) & 15)
        buffer.store(digit < 10 ? 48 + digit : 87 + digit, at: 16 * index + place)
      }
    }
  }

  /// One to one: no two numbers give the same.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }

  /// Lends each key in turn.
  @inline(__always) func forEach(_ range: Range<Int>, _ body: (RawSpan) throws(EngineError) -> Void) throws(EngineError) {
    let view = buffer.view
    for index in range { try body(view.bytes(16 * index..<16 * index + 16)) }
  }
  @inline(__always) func forEach(_ body: (RawSpan) throws(EngineError) -> Void) throws(EngineError) { try forEach(0..<count, body) }
}

let value = [UInt8](0..<200)
