import RawMemory
import StorageIO
import TestSupport
import Testing

@testable import MailboxLog

/// The first block: what is written is read, and nothing in it can change unseen.
@Suite struct HeaderTests {
  typealias Layout = SegmentLayout.Header
  static let key = try! EncryptionKey([UInt8](repeating: 9, count: 64))

  private func header(_ key: EncryptionKey?) -> ByteBuffer {
    let random = ByteBuffer(count: 48)
    for i in 0..<48 { random.store(UInt8(i + 1), at: i) }
    let block = ByteBuffer(count: SegmentLayout.blockByteCount)
    SegmentHeader.write(to: block, random: random, createdAt: -5, key: key.map { .one($0) })
    return block
  }
  private func seal(_ block: ByteBuffer) { block.store(Checksum.crc32(block, 0..<Layout.checksum), at: Layout.checksum) }
  private func fault(_ block: ByteBuffer) -> SegmentHeader.Fault? {
    do throws(SegmentHeader.Fault) {
      _ = try SegmentHeader(parsing: block)
      return nil
    } catch { return error }
  }

  @Test(arguments: [nil, key]) func roundTrip(key: EncryptionKey?) throws {
    let block = header(key)
    let parsed = try SegmentHeader(parsing: block)
    #expect(parsed.identifier == MailboxSegmentID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))
    #expect(parsed.createdAt == -5)
    #expect(parsed.keyScheme == (key == nil ? .plain : .oneKey))
    #expect(!parsed.isReadOnlyHere)
    #expect(block.bytes(0..<8) == Array("ANTEROOM".utf8))
  }

  @Test("Every bit of every byte", arguments: [nil, key]) func everyFlippedByteIsDetected(key: EncryptionKey?) {
    let block = header(key)
    for offset in 0..<SegmentLayout.blockByteCount {
      let byte = block.load(UInt8.self, at: offset)
      for bit in 0..<8 {
        block.store(byte ^ 1 << UInt8(bit), at: offset)
        #expect(fault(block) != nil, "byte \(offset), bit \(bit)")
      }
      block.store(byte, at: offset)
    }
    #expect(fault(block) == nil)
  }

  @Test("Reserved bytes that aren't zero, under a checksum that fits", arguments: [nil, key])
  func reservedBytes(key: EncryptionKey?) {
    var reserved = Array(Layout.reserved..<Layout.keyCheck) + Array(Layout.keyCheckEnd..<Layout.checksum)
    if key == nil { reserved += Array(Layout.keyCheck..<Layout.keyCheckEnd) }
    for offset in reserved {
      let block = header(key)
      block.store(UInt8(1), at: offset)
      seal(block)
      guard case .damaged = fault(block) else {
        Issue.record("byte \(offset)")
        continue
      }
    }
  }

  @Test func versionsAndFeatures() throws {
    func altered(_ change: (ByteBuffer) -> Void) -> ByteBuffer {
      let block = header(nil)
      change(block)
      seal(block)
      return block
    }
    for version in [UInt16(2), 3, .max] {
      guard case .newer(found: version) = fault(altered { $0.store(version, at: Layout.formatVersion) }) else {
        Issue.record("version \(version)")
        return
      }
    }
    guard case .damaged = fault(altered { $0.store(UInt16(0), at: Layout.formatVersion) }) else {
      Issue.record("version 0")
      return
    }
    for bit in 0..<64 {
      guard case .newer = fault(altered { $0.store(UInt64(1) << UInt64(bit), at: Layout.mustUnderstandFeatures) }) else {
        Issue.record("must understand bit \(bit)")
        return
      }
      let mayRead = try SegmentHeader(parsing: altered { $0.store(UInt64(1) << UInt64(bit), at: Layout.mayReadFeatures) })
      #expect(mayRead.isReadOnlyHere)
      let mayWrite = try SegmentHeader(parsing: altered { $0.store(UInt64(1) << UInt64(bit), at: Layout.mayWriteFeatures) })
      #expect(!mayWrite.isReadOnlyHere)
    }
    for (kind, isKnown) in [(UInt8(0), false), (1, true), (2, false), (3, false)] {
      let fault = fault(altered { $0.store(kind, at: Layout.fileKind) })
      if isKnown {
        #expect(fault == nil)
      } else {
        guard case .notALog = fault else {
          Issue.record("kind \(kind)")
          return
        }
      }
    }
    for (suite, scheme) in [(UInt8(1), UInt32(0)), (0, 1), (2, 1), (0, 2), (2, 2), (1, 3), (0, 3), (255, .max)] {
      let block = altered {
        $0.store(suite, at: Layout.suite)
        $0.store(scheme, at: Layout.keyScheme)
      }
      guard case .newer = fault(block) else {
        Issue.record("suite \(suite), scheme \(scheme)")
        return
      }
    }
    guard case .damaged = fault(altered { $0.store(UInt32(8192), at: Layout.blockByteCount) }) else {
      Issue.record("block")
      return
    }
    guard case .blank = fault(ByteBuffer(count: 4096)) else {
      Issue.record("blank")
      return
    }
  }

  @Test("The key check vouches for every byte before it") func keyCheck() throws {
    let block = header(Self.key)
    let parsed = try SegmentHeader(parsing: block)
    #expect(SegmentKeys.fitting(.one(Self.key), parsed, block) != nil)
    #expect(SegmentKeys.fitting(.one(try EncryptionKey([UInt8](repeating: 9, count: 32))), parsed, block) == nil)
    for offset in 0..<Layout.keyCheckEnd {
      let byte = block.load(UInt8.self, at: offset)
      block.store(byte ^ 0x40, at: offset)
      #expect(SegmentKeys.fitting(.one(Self.key), parsed, block) == nil, "byte \(offset)")
      block.store(byte, at: offset)
    }
  }
}
