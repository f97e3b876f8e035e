package import RawMemory
import Synchronization

/// The system's calls, with a say before each that makes something last, and another clock.
package final class HookedCalls: SystemCalls, @unchecked Sendable {
  /// Gets the call's name and its number, from 1. - Returns: what it fails with, 0 to let it be made.
  package typealias Hook = @Sendable (_ name: StaticString, _ number: Int) -> Int32

  private let before: Hook
  private let microseconds: @Sendable () -> Int64?
  private let number = Atomic<Int>(0)

  package init(before: @escaping Hook, microseconds: @escaping @Sendable () -> Int64?) {
    self.before = before
    self.microseconds = microseconds
  }

  private func hooked(_ name: StaticString, _ call: () -> Int) -> Int {
    let code = before(name, number.add(1, ordering: .relaxed).newValue)
    return code == 0 ? call() : -Int(code)
  }

  package override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    hooked("write") { super.write(descriptor, buffer, range, at: offset) }
  }
  package override func synchronizeData(_ descriptor: Int32) -> Int { hooked("sync") { super.synchronizeData(descriptor) } }
  package override func synchronize(_ descriptor: Int32) -> Int { hooked("sync") { super.synchronize(descriptor) } }
  package override func rename(_ path: String, to newPath: String) -> Int {
    hooked("rename") { super.rename(path, to: newPath) }
  }
  package override func link(_ path: String, to newPath: String) -> Int {
    hooked("rename") { super.link(path, to: newPath) }
  }
  package override func realtimeMicroseconds() -> Int64 { microseconds() ?? super.realtimeMicroseconds() }
}
