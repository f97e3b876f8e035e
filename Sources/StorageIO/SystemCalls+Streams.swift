#if !hasFeature(Embedded)
  import CSystem
  package import RawMemory

  /// Standard streams and what surrounds a tool. Each returns what the call returns, or `-errno`, unless it says otherwise.
  extension SystemCalls {
    /// From wherever the descriptor stands: for pipes and terminals too.
    package func readStream(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      unsafe buffer.withUnsafeAddress(range) { result(unsafe CSystem.read(descriptor, $0, range.count)) }
    }
    package func writeStream(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      unsafe buffer.withUnsafeAddress(range) { result(unsafe CSystem.write(descriptor, $0, range.count)) }
    }

    package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Sleeps, and wakes at once when nobody reads the descriptor any more or a signal arrives.
    ///
    /// - Returns: whether nobody reads it any more.
    package func pause(milliseconds: Int32, whileRead descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      let count = unsafe poll(&entry, 1, milliseconds)
      return count > 0 && entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// nil when the variable isn't set.
    package func environment(_ name: String) -> [UInt8]? {
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// What an `errno` means, for people.
    package static func message(_ code: Int32) -> String {
      guard let text = unsafe strerror(code) else { return "errno \(code)" }
      return unsafe String(cString: text)
    }

    package func removeDirectory(_ path: String) -> Int { result(unsafe path.withCString { unsafe Int(rmdir($0)) }) }

    /// Runs a line of shell, with the streams of this process except for its output, which `body` reads from a descriptor.
    ///
    /// - Returns: its exit status as a shell shows it, or `-errno`.
    package func runShell(_ command: String, _ body: (Int32) -> Void) -> Int {
      guard let stream = unsafe popen(command, "r") else { return -Int(anteroom_errno()) }
      body(unsafe fileno(stream))
      let status = unsafe pclose(stream)
      return status < 0 ? -Int(anteroom_errno()) : Int(anteroom_exit_status(status))
    }

    /// Ends the process, running nothing else.
    package func terminate(_ code: Int32) -> Never { _exit(code) }
  }
#endif
