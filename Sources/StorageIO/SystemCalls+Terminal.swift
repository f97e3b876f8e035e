#if !hasFeature(Embedded)
  import CSystem
  package import RawMemory
  import Synchronization

  /// Ctrl-C, seen at the next record or the next call that waits; the second one ends the process on the spot.
  package enum Interruption {
    private static let count = Atomic<Int>(0)
    /// The terminal whose echo is off; -1 for none.
    fileprivate static let silencedTerminal = Atomic<Int>(-1)

    package static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

    /// From here on SIGINT and SIGTERM only count, and writing to a closed pipe is `EPIPE`.
    package static func install() {
      _ = isRequested
      _ = silencedTerminal.load(ordering: .relaxed)
      let interrupt: @convention(c) (Int32) -> Void = { _ in
        if Interruption.count.add(1, ordering: .relaxed).newValue > 1 {
          let terminal = Interruption.silencedTerminal.load(ordering: .relaxed)
          if terminal >= 0 { setEcho(Int32(terminal), true) }
          _exit(130)
        }
      }
      _ = anteroom_catch_signal(SIGINT, interrupt)
      _ = anteroom_catch_signal(SIGTERM, interrupt)
      _ = anteroom_catch_signal(SIGPIPE, { _ in })
    }
  }

  extension SystemCalls {
    /// Reads a line that isn't shown while it is typed. The terminal is as before on return, also after an interruption.
    ///
    /// - Returns: bytes read, the newline included; 0 at the end of input; or `-errno`.
    package func readSilently(_ terminal: Int32, _ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      Interruption.silencedTerminal.store(Int(terminal), ordering: .relaxed)
      setEcho(terminal, false)
      defer {
        setEcho(terminal, true)
        Interruption.silencedTerminal.store(-1, ordering: .relaxed)
      }
      return readStream(terminal, buffer, range)
    }
  }

  private func setEcho(_ terminal: Int32, _ isOn: Bool) {
    var settings = termios()
    guard unsafe tcgetattr(terminal, &settings) == 0 else { return }
    if isOn { settings.c_lflag |= tcflag_t(ECHO) } else { settings.c_lflag &= ~tcflag_t(ECHO) }
    unsafe _ = tcsetattr(terminal, TCSAFLUSH, &settings)
  }
#endif
