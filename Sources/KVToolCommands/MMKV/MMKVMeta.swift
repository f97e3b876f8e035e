import CSystem
import RawMemory
import StorageIO

/// The meta file of an MMKV store, `NAME.crc`, 112 bytes of which one that is shorter reads as if zeros followed.
struct MMKVMeta {
  private enum Layout {
    static let checksum = 0  // u32: CRC-32 of the body as stored
    static let version = 4  // u32
    static let vector = 12  // 16 bytes: zero in a store that was never sealed
    static let byteCount = 28  // u32: of the body, from version 3 on
    static let confirmedByteCount = 32  // u32
    static let confirmedChecksum = 36  // u32
    static let flags = 104  // u64: bit 0, every value ends in its expiry
    static let end = 112
  }

  let checksum: UInt32
  let version: UInt32
  let byteCount: UInt32
  let confirmedByteCount: UInt32
  let confirmedChecksum: UInt32
  let valuesExpire: Bool
  /// Whether the store is sealed, or was once.
  let hasVector: Bool
  /// Nothing but zeros: it says nothing.
  let isBlank: Bool

  static let newestVersion: UInt32 = 4

  /// nil when there is no such file.
  init?(_ path: String, _ system: SystemCalls) throws {
    let file: StorageFile
    do throws(SystemError) {
      file = try StorageFile(system, path: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK, isQuiet: true)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    let block = ByteBuffer(count: Layout.end)
    _ = try file.read(block, 0..<Layout.end, at: 0)
    checksum = block.load(UInt32.self, at: Layout.checksum)
    version = block.load(UInt32.self, at: Layout.version)
    byteCount = block.load(UInt32.self, at: Layout.byteCount)
    confirmedByteCount = block.load(UInt32.self, at: Layout.confirmedByteCount)
    confirmedChecksum = block.load(UInt32.self, at: Layout.confirmedChecksum)
    valuesExpire = block.load(UInt64.self, at: Layout.flags) & 1 != 0
    let bytes = block.bytes(0..<Layout.end)
    hasVector = bytes[Layout.vector..<Layout.byteCount].contains { $0 != 0 }
    isBlank = bytes.allSatisfy { $0 == 0 }
  }
}
