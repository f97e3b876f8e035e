import Testing

@testable import Sealing

/// X25519 against RFC 7748, section 6.1.
@Suite struct AgreementTests {
  private let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
  private let alicePublic = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
  private let bobPublic = bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
  private let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")

  private func contents(_ secret: SecretBytes?) -> [UInt8]? { secret?.withBytes { span in span.indices.map { span[$0] } } }

  @Test func publicKeys() {
    #expect(KeyAgreement.publicKey(of: SecretBytes(copying: bob.span)) == bobPublic)
  }

  @Test func agreed() {
    let secret = KeyAgreement.sharedSecret(SecretBytes(copying: bob.span), with: alicePublic.span)
    #expect(contents(secret) == shared)
  }

  @Test func bothAgree() {
    let ours = SecretBytes(copying: bob.span)
    let theirs = SecretBytes.random(count: 32)
    let one = KeyAgreement.sharedSecret(ours, with: KeyAgreement.publicKey(of: theirs).span)
    let other = KeyAgreement.sharedSecret(theirs, with: KeyAgreement.publicKey(of: ours).span)
    #expect(contents(one) != nil && contents(one) == contents(other))
  }

  @Test("A public key of low order agrees on nothing")
  func lowOrder() {
    let secret = SecretBytes.random(count: 32)
    for first in [0, 1] as [UInt8] {
      let point = [first] + [UInt8](repeating: 0, count: 31)
      #expect(KeyAgreement.sharedSecret(secret, with: point.span) == nil)
    }
  }
}
