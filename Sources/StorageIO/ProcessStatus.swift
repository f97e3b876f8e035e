/// Whether a process runs, as far as this process may know.
package enum ProcessLiveness: Sendable { case alive, dead, unknown }

/// What the kernel says of a process in `/proc/PID/stat`.
struct ProcessStatus: Equatable {
  /// In ticks since the boot: a process id that is used again comes with another.
  let startTime: UInt64
  /// Nothing of it runs any more; its parent just hasn't waited for it.
  let hasEnded: Bool

  init(startTime: UInt64, hasEnded: Bool) {
    self.startTime = startTime
    self.hasEnded = hasEnded
  }

  /// nil for what isn't such a file.
  init?(parsing text: [UInt8]) {
    // The second field is the program's name in parentheses, in which anything may stand, parentheses too.
    guard let name = text.lastIndex(of: 0x29) else { return nil }
    let fields = text[(name + 1)...].split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
    // From the third on: the state; the twentieth: how many threads; the twenty-second: the start.
    guard fields.count >= 20, let threads = Self.number(fields[17]), let startTime = Self.number(fields[19]) else { return nil }
    self.startTime = startTime
    // A first thread that has ended looks like a process that has: the others may go on.
    let state = fields[0].first
    hasEnded = (state == 0x5A || state == 0x58) && threads <= 1
  }

  /// Whether the numbers in /proc are the ones that this process's own calls use.
  ///
  /// - Parameter statusFile: `/proc/self/status`. Its line `NSpid` has one id for each namespace from that of /proc to the process's own.
  static func isOfOwnNamespace(statusFile: [UInt8]) -> Bool {
    for line in statusFile.split(separator: 0x0A) where line.starts(with: Array("NSpid:".utf8)) {
      return line.dropFirst(6).split(whereSeparator: { $0 == 0x09 || $0 == 0x20 }).count == 1
    }
    return false
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      let (shifted, hasOverflowed) = value.multipliedReportingOverflow(by: 10)
      if hasOverflowed || shifted > .max - 9 { return nil }
      value = shifted + UInt64(digit - 0x30)
    }
    return digits.isEmpty ? nil : value
  }
}
