import Foundation
import RawMemory
import TestSupport

@testable import StorageIO

/// The real system calls, with the clock, the chance, the boot and the busyness of locks in a test's hand.
final class DialCalls: SystemCalls, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Int64?
  private var generator: SplitMix64?
  private var kind = FileSystemKind.overwritesInPlace
  private var boot: UInt64 = 0xB007
  private var isBusy = false

  /// - Parameter seed: makes what is random the same in every run.
  init(now: Int64? = nil, seed: UInt64? = nil) {
    time = now
    generator = seed.map { SplitMix64(seed: $0) }
    super.init()
  }

  /// Microseconds since 1970; nil for the system's.
  var now: Int64? {
    get { lock.withLock { time } }
    set { lock.withLock { time = newValue } }
  }
  var fileSystemKind: FileSystemKind {
    get { lock.withLock { kind } }
    set { lock.withLock { kind = newValue } }
  }
  var currentBoot: UInt64 {
    get { lock.withLock { boot } }
    set { lock.withLock { boot = newValue } }
  }
  /// Whether every lock is somebody else's.
  var locksAreBusy: Bool {
    get { lock.withLock { isBusy } }
    set { lock.withLock { isBusy = newValue } }
  }

  override func realtimeMicroseconds() -> Int64 { now ?? super.realtimeMicroseconds() }
  override func bootIdentity() -> UInt64 { currentBoot }
  override func fileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
    let code = super.fileSystem(path, &kind)
    if code == 0 { kind = fileSystemKind }
    return code
  }
  override func random(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
    let isDrawn = lock.withLock { () -> Bool in
      guard var own = generator else { return false }
      for index in range { buffer.store(UInt8.random(in: 0...255, using: &own), at: index) }
      generator = own
      return true
    }
    return isDrawn ? range.count : super.random(buffer, range)
  }
  override func tryLock(_ descriptor: Int32) -> Int {
    locksAreBusy ? -Int(ErrorNumber.tryAgain) : super.tryLock(descriptor)
  }
}

/// Collects what a handler is told, from any thread.
final class Told<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [Value] = []
  var values: [Value] { lock.withLock { list } }
  func tell(_ value: Value) { lock.withLock { list.append(value) } }
  func forget() { lock.withLock { list = [] } }
}

let isLongRun = ProcessInfo.processInfo.environment["ANTEROOM_LONG"] == "1"
