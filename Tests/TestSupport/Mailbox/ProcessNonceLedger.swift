#if DEBUG
  import Foundation
  @testable package import Sealing

  /// Every nonce of every process that shares the file: 16 bytes of fingerprint and counter, in one write to the end.
  ///
  /// Kept on disk, before a byte is sealed, so that a process that dies right afterwards has told it.
  package final class NonceLedger: NonceObserver, @unchecked Sendable {
    private let descriptor: Int32

    package init(path: String) {
      descriptor = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
      precondition(descriptor >= 0, "can't open \(path)")
      super.init()
    }
    deinit { close(descriptor) }

    package override func willSeal(subkeyFingerprint: UInt64, counter: UInt64) {
      let record = [subkeyFingerprint, counter]
      let count = unsafe record.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress!, 16) }
      precondition(count == 16, "a nonce couldn't be noted")
    }
  }

  /// What a ledger tells in the end.
  package struct NonceUse {
    package private(set) var count = 0
    package private(set) var repeated = 0

    package init(ledger path: String) {
      struct Pair: Hashable {
        let fingerprint: UInt64
        let counter: UInt64
      }
      var seen: Set<Pair> = []
      let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
      unsafe bytes.withUnsafeBytes { raw in
        for offset in stride(from: 0, to: raw.count / 16 * 16, by: 16) {
          let pair = unsafe Pair(
            fingerprint: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            counter: raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
          count += 1
          if !seen.insert(pair).inserted { repeated += 1 }
        }
      }
    }
  }
#endif
