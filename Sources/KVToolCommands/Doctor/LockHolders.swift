import CSystem
import StorageIO

/// Who has a file's lock, as the kernel tells everybody.
enum LockHolders {
  /// Processes that hold a whole-file lock; empty where the kernel doesn't tell.
  static func processes(of status: FileStatus, _ system: SystemCalls) -> [Int32] {
    guard let file = try? StorageFile(system, path: "/proc/locks", flags: O_RDONLY) else { return [] }
    let reader = InputReader(system, descriptor: file.descriptor, name: "/proc/locks")
    guard let text = try? reader.all(byteCountMax: 16 << 20) else { return [] }
    return processes(in: text, device: status.device, inode: status.inode)
  }

  /// Lines like `1: FLOCK  ADVISORY  WRITE 708 08:01:1234 0 EOF`; those of waiters have an arrow.
  static func processes(in text: [UInt8], device: UInt64, inode: UInt64) -> [Int32] {
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    let place = "\(hex(major)):\(hex(minor)):\(inode)"
    var found: Set<Int32> = []
    for line in text.split(separator: 0x0A) {
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count >= 6, words[1] == "FLOCK", words[5] == place, let process = Int32(words[4]), process > 0 else { continue }
      found.insert(process)
    }
    return found.sorted()
  }

  private static func hex(_ number: UInt64) -> String { Hexadecimal.text(number, digits: 2) }
}
