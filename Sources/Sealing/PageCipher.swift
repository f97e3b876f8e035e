#if !hasFeature(Embedded)
  package import RawMemory

  /// What a key becomes in one file of sealed pages: HKDF-SHA-256 over the file's salt, a check value, and a subkey for each open.
  ///
  /// Guarantee: a page that opens was sealed with this key, for this file, page number and birth, by ChaCha20-Poly1305-IETF.
  /// - Concurrency: threads open pages side by side; what they share is looked up under a lock held for nanoseconds.
  package final class PageCipher: Sendable {
    private let root: SecretBytes
    private let fileID: (UInt64, UInt64)
    private let subkeys: SubkeyCache
    private let observer: NonceObserver?

    /// - Parameters:
    ///   - key: 32 or 64 bytes.
    ///   - salt: 16 random bytes, from the file's header.
    ///   - fileID: 16 bytes that no other file has.
    ///   - observer: hears of each nonce before it is used.
    /// - Complexity: two microseconds, and the slots that two secrets take.
    package init(key: SecretBytes, salt: [UInt8], fileID: [UInt8], observer: NonceObserver? = nil) {
      precondition(key.count == 32 || key.count == 64, "a key has 32 or 64 bytes")
      precondition(salt.count == 16 && fileID.count == 16, "salt and file id have 16 bytes")
      root = KeyDerivation.extract(salt: salt.span, secret: key)
      self.fileID = (Self.word(fileID[..<8]), Self.word(fileID[8...]))
      subkeys = SubkeyCache(root: root)
      self.observer = observer
    }

    /// Whether this process has the keys: false in a child forked after they were made.
    package var isPresent: Bool { root.isPresent }

    /// 16 bytes for the file's header, the same for the same key, salt and file id: they tell a wrong key from a damaged file.
    package func keyCheck() -> [UInt8] {
      var info = Array("anteroom store 1 key check".utf8)
      for word in [fileID.0, fileID.1] { for shift in 0..<8 { info.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) } }
      return KeyDerivation.expand(root, info: info.span, count: 16).withBytes { span in span.indices.map { span[$0] } }
    }

    /// Begins an open that seals: a random id that no other open has, and a counter of its own.
    package func makeSealer() -> PageSealer {
      let openID = OpenID.random()
      return PageSealer(openID: openID, subkey: subkeys.subkey(for: openID), fileID: fileID, observer: observer)
    }

    /// Opens a page in place, whoever sealed it. The envelope and the birth stay where they are.
    ///
    /// - Parameters:
    ///   - buffer: what holds the page.
    ///   - start: where in `buffer` the page begins, with its envelope.
    ///   - byteCount: of the page, the envelope included; at least 48. A meta page is a page too: sealed and opened at one length.
    ///   - page: the number of the place that it was read from.
    ///   - birth: what the page must have; for a meta page, its transaction.
    /// - Returns: false if anything doesn't belong together, also in a forked child. The buffer is then as it was.
    /// - Complexity: O(*n*), no allocation; two microseconds more for an open that isn't among the last 32 that were met.
    package func open(_ buffer: ByteBuffer, at start: Int, byteCount: Int, page: UInt64, birth: UInt64) -> Bool {
      precondition(byteCount >= SealedPage.text, "no room for an envelope")
      guard isPresent, buffer.load(UInt64.self, at: start + SealedPage.birth) == birth else { return false }
      let subkey = subkeys.subkey(for: OpenID(buffer, at: start + SealedPage.openID))
      let nonce = Nonce(counter: buffer.load(UInt64.self, at: start + SealedPage.counter))
      let associatedData = PageAssociatedData(fileID: fileID, page: page, birth: birth)
      return subkey.withBytes { key in
        ChaCha20Poly1305.openPage(
          buffer, at: start, byteCount: byteCount, associatedData: associatedData, nonce: nonce, key: key)
      }
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
#endif
