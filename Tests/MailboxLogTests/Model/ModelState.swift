/// A state of the whole model: two segments, two writers, two readers.
struct ModelState {
  var segments = [ModelSegment(), ModelSegment()]
  var writers: [ModelWriter]
  var readers: [ModelReader]
  var hasKilled = false

  init(writers: [UInt8], readers: Int) {
    self.writers = (0..<2).map { ModelWriter(appends: $0 < writers.count ? writers[$0] : 0) }
    self.readers = (0..<2).map { ModelReader(isStarted: $0 < readers) }
  }

  /// The state in two words, the same for states that differ in which of two like processes is which.
  struct Key: Hashable {
    var memory: UInt64
    var readers: UInt64
  }

  var key: Key {
    let (a, b) = (writers[0].bits, writers[1].bits)
    let (c, d) = (readers[0].bits, readers[1].bits)
    let shared = segments[0].bits << 14 | segments[1].bits | (hasKilled ? 1 << 28 : 0)
    return Key(memory: shared << 18 | min(a, b) << 9 | max(a, b), readers: min(c, d) << 20 | max(c, d))
  }

  init(_ key: Key) {
    writers = [ModelWriter(bits: key.memory >> 9 & 0x1FF), ModelWriter(bits: key.memory & 0x1FF)]
    readers = [ModelReader(bits: key.readers >> 20), ModelReader(bits: key.readers & 0xFFFFF)]
    segments = [ModelSegment(bits: key.memory >> 32 & 0x3FFF), ModelSegment(bits: key.memory >> 18 & 0x3FFF)]
    hasKilled = key.memory >> 46 & 1 == 1
  }
}

extension ModelSegment {
  fileprivate var bits: UInt64 {
    var bits = UInt64(state.rawValue) << 12 | (isLinked ? 1 << 11 : 0) | (isLocked ? 1 << 10 : 0)
    bits |= UInt64(committed) << 8 | UInt64(consumed) << 6 | UInt64(marks) << 4 | UInt64(asked) << 2 | UInt64(returned)
    return bits
  }
  fileprivate init(bits: UInt64) {
    state = State(rawValue: UInt8(bits >> 12 & 3))!
    isLinked = bits >> 11 & 1 == 1
    isLocked = bits >> 10 & 1 == 1
    committed = UInt8(bits >> 8 & 3)
    consumed = UInt8(bits >> 6 & 3)
    marks = UInt8(bits >> 4 & 3)
    asked = UInt8(bits >> 2 & 3)
    returned = UInt8(bits & 3)
  }
}

extension ModelWriter {
  fileprivate var bits: UInt64 { UInt64(step.rawValue) << 5 | UInt64(segment) << 4 | UInt64(end & 3) << 2 | UInt64(left) }
  fileprivate init(bits: UInt64) {
    self.init()
    step = Step(rawValue: UInt8(bits >> 5))!
    segment = UInt8(bits >> 4 & 1)
    end = UInt8(bits >> 2 & 3)
    left = UInt8(bits & 3)
  }
}

extension ModelReader {
  fileprivate var bits: UInt64 {
    var bits = UInt64(step.rawValue) << 15 | UInt64(segment) << 14 | UInt64(from) << 12 | UInt64(to) << 10 | UInt64(known) << 8
    bits |= UInt64(listed) << 6 | UInt64(newMarks) << 4 | UInt64(newEnd) << 2 | (hasMarked ? 2 : 0) | (isConsumed ? 1 : 0)
    return bits
  }
  fileprivate init(bits: UInt64) {
    self.init()
    step = Step(rawValue: UInt8(bits >> 15))!
    segment = UInt8(bits >> 14 & 1)
    from = UInt8(bits >> 12 & 3)
    to = UInt8(bits >> 10 & 3)
    known = UInt8(bits >> 8 & 3)
    listed = UInt8(bits >> 6 & 3)
    newMarks = UInt8(bits >> 4 & 3)
    newEnd = UInt8(bits >> 2 & 3)
    hasMarked = bits & 2 != 0
    isConsumed = bits & 1 != 0
  }
}
