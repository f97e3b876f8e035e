import CForkSupport
import CSystem
import RawMemory
import Testing

/// The handler that wipes memory in a forked child where the kernel has no mark for it.
@Suite struct WipeInChildTests {
  @Test func aChildFindsZerosAndItsParentKeepsWhatItHad() async {
    await #expect(processExitsWith: .success) {
      let kept = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      let wiped = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      let released = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      unsafe memset(kept, 7, 4096)
      unsafe memset(wiped, 7, 4096)
      unsafe memset(released, 7, 4096)
      #expect(unsafe anteroom_wipe_in_child(wiped, 4096) == 0)
      #expect(unsafe anteroom_wipe_in_child(released, 4096) == 0)
      unsafe anteroom_keep_in_child(released)
      var memory = unsafe (kept, wiped, released)
      let child = unsafe anteroom_fork_and(
        { context in
          let (kept, wiped, released) = unsafe context!.assumingMemoryBound(
            to: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer).self
          ).pointee
          func holds(_ memory: UnsafeMutableRawPointer, _ byte: UInt8) -> Bool {
            unsafe UnsafeRawBufferPointer(start: memory, count: 4096).allSatisfy { $0 == byte }
          }
          return unsafe holds(kept, 7) && holds(wiped, 0) && holds(released, 7) ? 0 : 1
        }, &memory)
      #expect(anteroom_wait(child) == 0)
      #expect(unsafe UnsafeRawBufferPointer(start: wiped, count: 4096).allSatisfy { $0 == 7 })
    }
  }

  @Test func thereAreSoManyPlacesAndNoMore() async {
    await #expect(processExitsWith: .success) {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * 300, alignment: 8)
      let taken = (0..<300).filter { unsafe anteroom_wipe_in_child(memory + 8 * $0, 8) == 0 }
      #expect(!taken.isEmpty && taken.count < 300)
      for index in taken { unsafe anteroom_keep_in_child(memory + 8 * index) }
      #expect(unsafe anteroom_wipe_in_child(memory, 8) == 0)
    }
  }
}
