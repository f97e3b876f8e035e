#if !hasFeature(Embedded)
  package import RawMemory
  import Synchronization

  /// One open of an engine that seals pages: an id, a subkey, and a counter that gives each page another nonce.
  ///
  /// A number is taken before the page is sealed and never given back, whatever becomes of the page: neither a torn commit nor an abort
  /// brings a nonce back. Another process has another id, and a forked child has no subkey.
  /// - Concurrency: threads seal side by side.
  package final class PageSealer: Sendable {
    private let id: OpenID
    private let subkey: SecretBytes
    private let fileID: (UInt64, UInt64)
    private let counter = Atomic<UInt64>(0)
    private let forkMark = ForkMark.current
    private let observer: NonceObserver?
    private let fingerprint: UInt64

    init(openID: OpenID, subkey: SecretBytes, fileID: (UInt64, UInt64), observer: NonceObserver?) {
      id = openID
      self.subkey = subkey
      self.fileID = fileID
      self.observer = observer
      let digest = observer == nil ? [] : subkey.withBytes { Digest.sha256($0) }
      fingerprint = digest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// 16 bytes.
    package var openID: [UInt8] { id.bytes }

    /// Whether this process may seal: false in a child forked after the open began, where sealing traps.
    package var isPresent: Bool { subkey.isPresent && ForkMark.isCurrent(forkMark) }

    /// Seals a page in place: writes envelope and birth, and encrypts what is behind them.
    ///
    /// - Parameters: as for ``PageCipher/open(_:at:byteCount:page:birth:)``.
    /// - Complexity: O(*n*), no allocation.
    package func seal(_ buffer: ByteBuffer, at start: Int, byteCount: Int, page: UInt64, birth: UInt64) {
      precondition(byteCount >= SealedPage.text, "no room for an envelope")
      precondition(isPresent, "the keys stayed with the process that this one was forked from")
      let number = counter.add(1, ordering: .relaxed).newValue
      if let observer { observer.willSeal(subkeyFingerprint: fingerprint, counter: number) }
      id.store(to: buffer, at: start + SealedPage.openID)
      buffer.store(number, at: start + SealedPage.counter)
      buffer.store(birth, at: start + SealedPage.birth)
      let associatedData = PageAssociatedData(fileID: fileID, page: page, birth: birth)
      subkey.withBytes { key in
        ChaCha20Poly1305.sealPage(
          buffer, at: start, byteCount: byteCount, associatedData: associatedData, nonce: Nonce(counter: number), key: key)
      }
    }
  }
#endif
