import Testing

@testable import Sealing

@Suite struct PassphraseTests {
  private let passphrase = Array("correct horse".utf8)
  private let salt = [UInt8](0..<16)

  private func stretch(_ kibibytes: Int, _ passes: Int, _ count: Int = 32) throws -> [UInt8] {
    contents(
      try PassphraseStretching.argon2id(
        passphrase.span, salt: salt.span, memoryByteCount: kibibytes << 10, passCount: passes, byteCount: count))
  }

  /// Made with the reference implementation.
  @Test func knownAnswers() throws {
    #expect(try stretch(8, 1) == bytes("3bfa796a86260b73457e1290b51695931a17e266f601d0fb45563e282fb6865b"))
    #expect(try stretch(4096, 3) == bytes("1213b6c5e8e768cc25a195b8f9b272ac53028f302536e7468afbe542f09f3e05"))
    let long = """
      f19bd62875cab5f3f42baf1e839ffe0e5e05bfac9df6dff9e610aa5eb939832c836c8aa344792b93accb9bffac27966f57beb16057f9bae3d6eead4a802405ff
      """
    #expect(try stretch(1024, 3, 64) == bytes(long))
  }

  @Test func anEmptyPassphraseIsOne() throws {
    let none: [UInt8] = []
    let key = try PassphraseStretching.argon2id(none.span, salt: salt.span, memoryByteCount: 8192, passCount: 1)
    #expect(key.count == 32)
  }

  @Test func whatAFileMayAskForIsBounded() throws {
    func error(_ memory: Int, _ passes: Int, _ salt: [UInt8], limit: Int = 16 << 20) -> StretchingError? {
      do throws(StretchingError) {
        _ = try PassphraseStretching.argon2id(
          passphrase.span, salt: salt.span, memoryByteCount: memory, passCount: passes, memoryByteCountMax: limit)
        return nil
      } catch { return error }
    }
    #expect(error(16 << 20, 1, salt) == nil)
    #expect(error(16 << 20 + 1, 1, salt) == .tooMuchMemory(byteCount: 16 << 20 + 1, limit: 16 << 20))
    #expect(error(1 << 50, 1, salt) == .tooMuchMemory(byteCount: 1 << 50, limit: 16 << 20))
    #expect(error(20 << 20, 1, salt, limit: 32 << 20) == nil)
    #expect(error(8192, 65, salt) == .tooManyPasses(count: 65, limit: 64))
    #expect(error(8191, 1, salt) == .invalid)
    #expect(error(8192, 0, salt) == .invalid)
    #expect(error(8192, 1, [1, 2, 3]) == .invalid)
  }
}
