internal import Glibc

// The system calls that belong to no child: the clock, waiting for descriptors, signals, standard error.

func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A write to a child that has just died is an error and not the end of this process.
func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

/// Waits until one of the descriptors can be read or written, or the time is over; a wait below a millisecond, which is the
/// least that `poll` knows, is slept through. Which one is left to the caller, who tries them all: none of them blocks.
func waitForDescriptors(reading: [Int32], writing: [Int32], nanoseconds: UInt64) {
  let milliseconds = Int32(nanoseconds / 1_000_000)
  if milliseconds == 0 {
    var time = timespec(tv_sec: 0, tv_nsec: Int(nanoseconds))
    _ = unsafe nanosleep(&time, nil)
  }
  var entries = reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  entries += writing.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
  _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
}

func printError(_ text: String) {
  let bytes = Array("\(text)\n".utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// Hands on at once what was printed: the reader of a pipe may be waiting for it.
func flushOutput() { _ = fflush(nil) }
