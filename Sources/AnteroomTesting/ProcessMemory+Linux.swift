#if os(Linux)
  import FoundationEssentials

  /// What the kernel says of this process's memory.
  enum ProcessMemory {
    /// Lets the peak begin anew from what is resident. - Returns: false where the kernel doesn't (a sandbox without `/proc`).
    static func resetPeak() -> Bool {
      do { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) } catch { return false }
      return true
    }

    /// Resident bytes: now, at the most since the last reset, and of those now what is anonymous.
    static func read() throws(FootprintError) -> (resident: Int, peak: Int, anonymous: Int) {
      guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { throw .unreadable }
      let text = String(decoding: data, as: UTF8.self)
      guard let resident = bytes("VmRSS:", text), let peak = bytes("VmHWM:", text), let anonymous = bytes("RssAnon:", text) else {
        throw .unreadable
      }
      return (resident, peak, anonymous)
    }

    /// The number, in KiB, in the line of this name.
    private static func bytes(_ name: String, _ text: String) -> Int? {
      for line in text.split(separator: "\n") where line.hasPrefix(name) {
        return Int(line.filter { $0.isASCII && $0.isNumber }).map { $0 << 10 }
      }
      return nil
    }
  }
#endif
