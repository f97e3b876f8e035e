#if os(Linux)
  import Glibc
  import RawMemory
  import Testing

  @testable import Sealing

  /// In processes of their own, because a lowered limit stays.
  @Suite struct LimitTests {
    @Test func worksWhereNothingMayBeLocked() async {
      await #expect(processExitsWith: .success) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let isSet = unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none) == 0
        // The limit doesn't bind a privileged process.
        let isBound = geteuid() != 0 || setuid(65534) == 0
        #expect(isSet && isBound)
        let record = SealedRecord()
        #expect(record.open())
        #expect(GuardedPage.first.isWipedOnFork)
      }
    }

    @Test func aPageTakesLittleAddressSpace() async {
      await #expect(processExitsWith: .success) {
        let before = addressSpaceByteCount()
        let pages = (0..<16).map { _ in GuardedPage() }
        for page in pages { #expect(page.isWipedOnFork) }
        #expect(addressSpaceByteCount() - before <= 16 * 8 * Int(getpagesize()))
      }
    }
  }

  /// What RLIMIT_AS bounds: the first number of /proc/self/statm, in pages.
  private func addressSpaceByteCount() -> Int {
    let descriptor = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &text, text.count)
    var pages = 0
    for digit in text.prefix(max(0, count)) {
      guard digit >= 0x30 && digit <= 0x39 else { break }
      pages = pages * 10 + Int(digit - 0x30)
    }
    return pages * Int(getpagesize())
  }
#endif
