import Testing

@testable import Sealing

/// Each test has a list of pages of its own, so that nothing else takes slots in it.
@Suite struct SecretBytesTests {
  @Test func everyLengthComesBack() {
    for count in 1...64 {
      let original = (0..<count).map { UInt8($0 + 100) }
      let secret = SecretBytes(copying: original.span)
      #expect(secret.count == count)
      #expect(contents(secret) == original)
      #expect(secret.isPresent)
    }
  }

  @Test func randomSecretsDiffer() {
    let secrets = (0..<200).map { _ in contents(SecretBytes.random(count: 16)) }
    #expect(Set(secrets).count == 200)
    #expect(SecretBytes.random(count: 64).count == 64)
  }

  @Test func pageIsMarkedToBeWipedOnFork() {
    #expect(GuardedPage.first.isWipedOnFork)
  }

  @Test func slotsAreReused() {
    let page = GuardedPage()
    for cycle in 0..<10_000 {
      let secret = SecretBytes(count: 32, in: page) { $0[0] = UInt8(truncatingIfNeeded: cycle) }
      #expect(contents(secret)[0] == UInt8(truncatingIfNeeded: cycle))
    }
    #expect(page.pageCount == 1)
  }

  @Test func furtherPagesHoldWhatOneDoesNot() {
    let page = GuardedPage()
    for _ in 0..<3 {
      let secrets = (0..<200).map { number in
        SecretBytes(count: 64, in: page) { bytes in
          for index in bytes.indices { bytes[index] = UInt8(number) }
        }
      }
      for (number, secret) in secrets.enumerated() {
        #expect(contents(secret) == [UInt8](repeating: UInt8(number), count: 64))
      }
      #expect(page.pageCount == 4)
    }
  }

  @Test func aSlotGivenBackHoldsZeros() {
    let page = GuardedPage()
    var slots: [GuardedSlot] = []
    for round in 0..<2 {
      slots = (0..<63).map { _ in page.takeSlot() }
      #expect(page.pageCount == 1)
      for slot in slots {
        #expect(isZero(slot))
        slot.fill(count: 64) { bytes in
          for index in bytes.indices { bytes[index] = UInt8(round + 1) }
        }
        #expect(slot.isPresent && !isZero(slot))
      }
      for slot in slots { slot.giveBack() }
      for slot in slots { #expect(!slot.isPresent && isZero(slot)) }
    }
  }

  @Test func bytesBeyondTheCountAreWiped() {
    let slot = GuardedPage().takeSlot()
    slot.fill(count: 10) { bytes in
      for index in bytes.indices { bytes[index] = 0xff }
    }
    let seen = slot.read(count: 64) { span in span.indices.map { span[$0] } }
    #expect(seen == [UInt8](repeating: 0xff, count: 10) + [UInt8](repeating: 0, count: 54))
  }

  @Test func errorsOfTheBodyComeThrough() {
    struct Refused: Error {}
    #expect(throws: Refused.self) { try SecretBytes.random(count: 8).withBytes { _ throws(Refused) in throw Refused() } }
  }

  @Test func threadsTakeAndGiveBackAtOnce() async {
    let page = GuardedPage()
    let wrong = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var wrong = 0
          var held: [(SecretBytes, UInt8)] = []
          for cycle in 0..<2_000 {
            let value = UInt8(truncatingIfNeeded: worker &* 31 &+ cycle)
            let secret = SecretBytes(count: 64, in: page) { bytes in
              for index in bytes.indices { bytes[index] = value }
            }
            held.append((secret, value))
            if held.count == 20 {
              for (secret, value) in held where contents(secret) != [UInt8](repeating: value, count: 64) { wrong += 1 }
              held.removeAll()
            }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    #expect(page.pageCount <= 4)
  }

  private func isZero(_ slot: GuardedSlot) -> Bool {
    slot.read(count: 64) { span in span.indices.allSatisfy { span[$0] == 0 } }
  }
}
