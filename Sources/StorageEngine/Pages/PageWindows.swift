import RawMemory
import StorageIO
import Synchronization

/// The file as mappings of doubling size, made when they are first needed and never moved: 64 MiB, then the same again, then 128 MiB, …
///
/// A mapping may reach beyond the end of the file; nobody reads there, because page numbers are checked against the version's page count
/// and the file is longer than that.
final class PageWindows: @unchecked Sendable {
  private static let firstByteCount: UInt64 = 64 << 20
  private static let firstShift = 26
  private let file: StorageFile
  private let windows: [AtomicBox]

  private final class AtomicBox: Sendable {
    let mapping = AtomicLazyReference<Mapping>()
  }

  init(_ file: StorageFile) {
    self.file = file
    windows = (0..<24).map { _ in AtomicBox() }
  }

  /// Which window has an offset: 0 below 64 MiB, 1 below 128 MiB, 2 below 256 MiB, …
  @inline(__always) private static func index(of offset: UInt64) -> Int {
    offset < firstByteCount ? 0 : 64 - offset.leadingZeroBitCount - firstShift
  }

  /// - Returns: nil where a range crosses windows.
  @inline(__always) func view(_ offset: UInt64, _ byteCount: Int) throws(EngineError) -> ByteView? {
    let index = Self.index(of: offset)
    let window = if let window = windows[index].mapping.load() { window } else { try map(index) }
    let start = Int(offset - window.fileOffset)
    return start + byteCount <= window.count ? window.view(start..<start + byteCount) : nil
  }

  private func map(_ index: Int) throws(EngineError) -> Mapping {
    let start = index == 0 ? 0 : Self.firstByteCount << UInt64(index - 1)
    let byteCount = index == 0 ? Self.firstByteCount : start
    let mapping = try naming(file.path) { () throws(SystemError) in
      try file.map(offset: start, count: Int(byteCount), writable: false)
    }
    return windows[index].mapping.storeIfNil(mapping)
  }
}
