import Foundation

/// What `/proc` says of a process.
package struct ProcessState {
  package let identifier: Int32
  package init(_ identifier: Int32 = getpid()) { self.identifier = identifier }

  private func text(_ name: String) -> String {
    // Read whole: such files have no length.
    guard let file = unsafe fopen("/proc/\(name)", "r") else { return "" }
    defer { unsafe _ = fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A field of `status`, in KiB where it has a unit: `VmHWM`, `VmRSS`, `RssAnon`, `RssFile`.
  package func status(_ field: String) -> Int {
    for line in text("\(identifier)/status").split(separator: "\n") where line.hasPrefix(field + ":") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
    return 0
  }

  /// Whether it is stopped by a signal.
  package var isStopped: Bool {
    text("\(identifier)/status").split(separator: "\n").contains { $0.hasPrefix("State:") && $0.contains("T (stopped)") }
  }

  /// The lines of `/proc/locks` about locks that this process took.
  package var locks: [String] {
    text("locks").split(separator: "\n").filter { line in
      let words = line.split(separator: " ")
      return words.count > 4 && !line.contains("->") && words[4] == "\(identifier)"
    }.map(String.init)
  }

  /// The mapped ranges whose file's path contains the text.
  package func mappings(of path: String = "") -> [String] {
    text("\(identifier)/maps").split(separator: "\n").filter { path.isEmpty || $0.contains(path) }.map(String.init)
  }

  package var descriptorCount: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd")) ?? []).count
  }

  /// Seconds of processor time so far, of this process.
  package static var processorSeconds: Double {
    var usage = rusage()
    unsafe getrusage(0, &usage)  // RUSAGE_SELF
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
