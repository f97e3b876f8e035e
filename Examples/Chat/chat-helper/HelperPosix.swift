internal import Glibc

// The system calls of the helper: its limit, its clock, its standard streams, its key files and its own peak.

/// Lets the process have this much address space, for good: what goes beyond fails, as it would in an extension.
func limitAddressSpace(to byteCount: UInt) {
  var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}

func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Appends what one read yields. - Returns: bytes read; 0 at the end.
func readInput(into buffer: inout [UInt8], byteCountMax: Int) throws(HelperError) -> Int {
  let count = readOnce(0, into: &buffer, byteCountMax: byteCountMax)
  if count < 0 { throw .input(errno: errno) }
  return count
}

/// Writes everything to standard output; a reader that is gone ends the process, by SIGPIPE.
func writeOut(_ bytes: [UInt8]) { write(bytes, to: 1) }

func writeError(_ text: String) { write(Array(text.utf8), to: 2) }

func exitProcess(_ code: Int32) -> Never { exit(code) }

/// The 32 bytes of a key file, which nobody but its owner may read.
func keyBytes(path: String) throws(HelperError) -> [UInt8] {
  let descriptor = openForReading(path)
  if descriptor < 0 { throw .keyFile(path: path, reason: "can't be opened (errno \(errno))") }
  defer { _ = close(descriptor) }
  var status = stat()
  if unsafe fstat(descriptor, &status) != 0 || status.st_mode & 0o077 != 0 {
    throw .keyFile(path: path, reason: "others may read it; it has to be 0600")
  }
  var bytes: [UInt8] = []
  let count = readOnce(descriptor, into: &bytes, byteCountMax: 64)
  if count != 32 { throw .keyFile(path: path, reason: "a key file has 32 bytes") }
  return bytes
}

/// The command line of the process as the kernel has it, each argument with a zero behind it.
func commandLineBytes() -> [UInt8] {
  let descriptor = openForReading("/proc/self/cmdline")
  if descriptor < 0 { return [] }
  defer { _ = close(descriptor) }
  var bytes: [UInt8] = []
  while readOnce(descriptor, into: &bytes, byteCountMax: 1024) > 0 {}
  return bytes
}

/// VmHWM, the most memory that was resident at any time, as the kernel counts it; 0 when it can't be read.
func peakKibibytes() -> Int {
  let descriptor = openForReading("/proc/self/status")
  if descriptor < 0 { return 0 }
  defer { _ = close(descriptor) }
  var status: [UInt8] = []
  _ = readOnce(descriptor, into: &status, byteCountMax: 4096)
  return number(behind: [0x56, 0x6D, 0x48, 0x57, 0x4D, 0x3A], in: status)  // "VmHWM:"
}

/// `withCString` lends the bytes of the string; handing the string over as an argument would copy them into an array.
private func openForReading(_ path: String) -> Int32 {
  unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
}

/// One read, again after an interruption. - Returns: bytes read, or -1.
private func readOnce(_ descriptor: Int32, into buffer: inout [UInt8], byteCountMax: Int) -> Int {
  let start = buffer.count
  buffer.append(contentsOf: repeatElement(0, count: byteCountMax))
  var count: Int
  repeat {
    count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe read(descriptor, bytes.baseAddress! + start, byteCountMax)
    }
  } while count < 0 && errno == EINTR
  buffer.removeLast(byteCountMax - max(count, 0))
  return count
}

private func write(_ bytes: [UInt8], to descriptor: Int32) {
  var offset = 0
  while offset < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress! + offset, $0.count - offset) }
    if count > 0 { offset += count } else if errno != EINTR { return }
  }
}
