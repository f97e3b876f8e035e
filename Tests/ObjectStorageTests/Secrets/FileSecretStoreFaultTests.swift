#if DEBUG
  import Foundation
  import TestSupport
  import Testing

  @testable import ObjectStorage
  @testable import StorageIO

  /// Each system call of an operation fails once: the old value is there afterwards or the new one, and nothing else.
  @Suite struct FileSecretStoreFaultTests {
    private let old = Data(repeating: 1, count: 32)
    private let new = Data(repeating: 2, count: 32)

    private func failEach(_ code: Int32, hasOld: Bool, _ body: (FileSecretStore) throws -> Void) throws -> Int {
      var failures = 0
      for ordinal in 1...100 {
        let place = TemporaryDirectory()
        let calls = CountingCalls()
        let url = URL(filePath: place.path(of: "s"))
        let clean = FileSecretStore(directory: url)
        try clean.set(old, forKey: hasOld ? "k" : "other")
        let store = FileSecretStore(directory: url, system: calls)
        calls.fail(at: ordinal, with: code)
        do { try body(store) } catch {
          failures += 1
          #expect(error is SecretStoreError)
        }
        let isReached = calls.totalCallCount >= ordinal
        let value = try clean.data(forKey: "k")
        #expect(value == new || value == (hasOld ? old : nil), "call \(ordinal)")
        #expect(litter(in: place.path).isEmpty, "call \(ordinal)")
        // The next attempt works.
        try clean.set(new, forKey: "k")
        #expect(try clean.data(forKey: "k") == new)
        if !isReached { return failures }
      }
      Issue.record("more than 100 calls")
      return failures
    }

    @Test(arguments: [EIO, ENOSPC]) func replacing(_ code: Int32) throws {
      #expect(try failEach(code, hasOld: true) { try $0.set(new, forKey: "k") } > 5)
    }
    @Test(arguments: [EIO, ENOSPC]) func making(_ code: Int32) throws {
      #expect(try failEach(code, hasOld: false) { _ = try $0.setIfAbsent(new, forKey: "k") } > 5)
    }

    @Test func syncsComeBeforeTheNameAndAfterIt() throws {
      let place = TemporaryDirectory()
      let calls = CountingCalls()
      let store = FileSecretStore(directory: URL(filePath: place.path), system: calls)
      try setMode(place.path, 0o700)
      try store.set(old, forKey: "k")
      #expect(calls.callCount(.synchronize) == 2)
      // Whoever stored it: what is given back lasts.
      calls.resetCounts()
      #expect(try store.setIfAbsent(new, forKey: "k") == old)
      #expect(calls.callCount(.synchronize) == 1)
    }
  }
#endif
