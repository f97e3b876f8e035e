#if os(Linux)
  import Glibc
  import RawMemory
  import Testing

  @testable import Sealing

  /// What a forked child has. The forks happen in processes of their own, whose other threads are idle: a child of a busy process may
  /// find a lock of the allocator or of a sanitizer taken for ever.
  @Suite struct ForkTests {
    @Test func aChildHasNoSecretAndMakesItsOwn() async {
      await #expect(processExitsWith: .success) {
        let secret = SecretBytes.random(count: 32)
        let cipher = RecordCipher(subkey: secret)
        let slot = GuardedPage.first.takeSlot()
        slot.fill(count: 64) { $0[0] = 1 }
        let buffer = ByteBuffer(count: 32)
        cipher.seal(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: 1)

        let status = statusOfChild {
          if secret.isPresent || cipher.isPresent || slot.isPresent { return 1 }
          if slot.read(count: 64, { span in span.indices.contains { span[$0] != 0 } }) { return 2 }
          if cipher.open(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: 1) { return 3 }
          let own = GuardedPage.first.takeSlot()
          own.fill(count: 64) { $0[0] = 2 }
          if own.index == slot.index && own.page === slot.page { return 4 }
          if !own.isPresent || own.read(count: 1, { $0[0] }) != 2 || secret.isPresent { return 5 }
          return 0
        }
        #expect(status == 0)
        #expect(secret.isPresent)
        #expect(cipher.open(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: 1))
      }
    }

    /// Sealing with what a fork left would be sealing under a key of zeros.
    @Test func aChildThatSealsAllTheSameTraps() async {
      await #expect(processExitsWith: .success) {
        let cipher = RecordCipher(subkey: .random(count: 32))
        let buffer = ByteBuffer(count: 32)
        let status = statusOfChild {
          for number in [SIGILL, SIGTRAP] { _ = signal(number, SIG_DFL) }
          cipher.seal(buffer, 0..<16, tagAt: 16, associatedData: buffer, 0..<0, counter: 1)
          return 0
        }
        #expect(status == -SIGILL || status == -SIGTRAP)
      }
    }

    @Test func aChildOpensNoPageAndItsParentGoesOn() async {
      await #expect(processExitsWith: .success) {
        let cipher = PageCipher(key: .random(count: 32), salt: [UInt8](0..<16), fileID: [UInt8](0..<16))
        let sealer = cipher.makeSealer()
        let buffer = ByteBuffer(count: 512)
        sealer.seal(buffer, at: 0, byteCount: 512, page: 1, birth: 1)
        let status = statusOfChild {
          if cipher.isPresent || sealer.isPresent { return 1 }
          if cipher.open(buffer, at: 0, byteCount: 512, page: 1, birth: 1) { return 2 }
          let own = PageCipher(key: .random(count: 32), salt: [UInt8](0..<16), fileID: [UInt8](0..<16))
          own.makeSealer().seal(buffer, at: 0, byteCount: 512, page: 1, birth: 2)
          return own.open(buffer, at: 0, byteCount: 512, page: 1, birth: 2) && !sealer.isPresent ? 0 : 3
        }
        #expect(status == 0)
        #expect(sealer.isPresent && cipher.open(buffer, at: 0, byteCount: 512, page: 1, birth: 1))
      }
    }

    @Test func aChildThatSealsAPageTraps() async {
      await #expect(processExitsWith: .success) {
        let cipher = PageCipher(key: .random(count: 32), salt: [UInt8](0..<16), fileID: [UInt8](0..<16))
        let sealer = cipher.makeSealer()
        let buffer = ByteBuffer(count: 512)
        let status = statusOfChild {
          for number in [SIGILL, SIGTRAP] { _ = signal(number, SIG_DFL) }
          sealer.seal(buffer, at: 0, byteCount: 512, page: 1, birth: 1)
          return 0
        }
        #expect(status == -SIGILL || status == -SIGTRAP)
      }
    }
  }

  /// Exit status of a child that runs `body`, or minus the signal that ended it; SIGALRM if it hung.
  private func statusOfChild(_ body: () -> Int32) -> Int32 {
    typealias Fork = @convention(c) () -> pid_t
    guard let address = unsafe dlsym(nil, "fork") else { return .max }
    let child = unsafe unsafeBitCast(address, to: Fork.self)()
    if child == 0 {
      alarm(10)
      _exit(body())
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1 && errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 : -(status & 0x7f)
  }
#endif
