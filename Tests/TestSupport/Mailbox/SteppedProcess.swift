#if DEBUG
  package import StorageIO

  /// A process of a test kernel that lets others in between its system calls, and counts its sleeps.
  package final class SteppedProcess: KernelProcess, @unchecked Sendable {
    /// Called before and after each system call, outside the kernel's lock, with how many there were before.
    package var beforeCall: ((Int, SystemCall) -> Void)?
    package var afterCall: ((Int, SystemCall) -> Void)?
    package private(set) var stepCount = 0
    /// How often this process waited.
    package private(set) var sleepCount = 0

    package init(_ kernel: CrashKernel) { super.init(kernel.core) }

    /// Counts from here.
    package func restart() {
      stepCount = 0
      sleepCount = 0
    }

    override func call(_ call: SystemCall, _ body: () -> Int) -> Int {
      let step = stepCount
      beforeCall?(step, call)
      stepCount += 1
      let result = super.call(call, body)
      afterCall?(step, call)
      return result
    }
    package override func sleep(nanoseconds: UInt64) {
      sleepCount += 1
      super.sleep(nanoseconds: nanoseconds)
    }
  }
#endif
