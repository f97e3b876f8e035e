import RawMemory

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A UUID in a row or a key: its 16 bytes as they are printed.
package enum UUIDCoding {
  package static func append(_ value: UUID, to bytes: inout [UInt8]) {
    let u = value.uuid
    bytes.append(contentsOf: [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15])
  }

  /// - Parameter offset: of 16 bytes that are there.
  package static func decode(_ bytes: RawSpan, at offset: Int) -> UUID {
    func byte(_ index: Int) -> UInt8 { bytes.load(UInt8.self, at: offset + index) }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10), byte(11), byte(12),
        byte(13), byte(14), byte(15)
      ))
  }
}
