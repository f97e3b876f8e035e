#if os(Linux) && !hasFeature(Embedded)
  import CSystem
  import RawMemory
  import Synchronization

  /// The thread that makes all calls to key rings.
  ///
  /// To the kernel a process ring belongs to the thread that asked for it first: threads that run already have none or make
  /// another one, and it goes away with that thread. A session ring that has to be made is the same. One thread that lives as long as
  /// the process makes of them what their names say.
  @safe final class KeyringThread: @unchecked Sendable {
    private static let current = Mutex<(mark: UInt64, thread: KeyringThread)?>(nil)

    // Written by the caller before `start`, read by the thread after it; one caller at a time, under `current`'s lock.
    private var job: (() -> Void)?
    private let start = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    private init() {
      unsafe sem_init(start, 0, 0)
      unsafe sem_init(end, 0, 0)
    }

    deinit {
      unsafe start.deallocate()
      unsafe end.deallocate()
    }

    /// Waits until the thread has run `body`. - Returns: 0, or `-errno`.
    static func run(_ body: () -> Void) -> Int {
      current.withLock { current in
        // A forked child has its parent's object and not its thread.
        if let known = current, ForkMark.isCurrent(known.mark) {
          known.thread.perform(body)
          return 0
        }
        let thread = KeyringThread()
        let code = thread.launch()
        guard code == 0 else { return -Int(code) }
        current = (ForkMark.current, thread)
        thread.perform(body)
        return 0
      }
    }

    private func perform(_ body: () -> Void) {
      withoutActuallyEscaping(body) { body in
        job = body
        unsafe sem_post(start)
        while unsafe sem_wait(end) != 0 {}
        job = nil
      }
    }

    /// Lives for ever, and so does what it refers to. Signals go to the threads that expect them.
    private func launch() -> Int32 {
      var (all, before) = (sigset_t(), sigset_t())
      unsafe sigfillset(&all)
      unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
      defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
      var thread = pthread_t()
      let context = unsafe Unmanaged.passRetained(self)
      let code = unsafe pthread_create(
        &thread, nil,
        { context in
          let worker = unsafe Unmanaged<KeyringThread>.fromOpaque(context!).takeUnretainedValue()
          while true {
            while unsafe sem_wait(worker.start) != 0 {}
            worker.job?()
            unsafe sem_post(worker.end)
          }
        }, context.toOpaque())
      if code == 0 { pthread_detach(thread) } else { unsafe context.release() }
      return code
    }
  }
#endif
