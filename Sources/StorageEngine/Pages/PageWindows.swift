import RawMemory
import StorageIO

/// The file as mappings of doubling size, made when they are first needed and never moved: 64 MiB, then the same again, then 128 MiB, …
///
/// A mapping may reach beyond the end of the file; nobody reads there, because page numbers are checked against the version's page count
/// and the file is longer than that.
final class PageWindows: Sendable {
  private static let firstByteCount: UInt64 = 64 << 20
  private static let firstShift = 26
  private let file: StorageFile
  private let windows: [LazyMapping]

  init(_ file: StorageFile) {
    self.file = file.openedForMapping()
    windows = (0..<24).map { _ in LazyMapping() }
  }

  /// Which window has an offset: 0 below 64 MiB, 1 below 128 MiB, 2 below 256 MiB, …
  @inline(__always) private static func index(of offset: UInt64) -> Int {
    offset < firstByteCount ? 0 : 64 - offset.leadingZeroBitCount - firstShift
  }
  /// Where a window begins in the file.
  @inline(__always) private static func start(of index: Int) -> UInt64 { index == 0 ? 0 : firstByteCount << UInt64(index - 1) }

  /// - Returns: nil where a range crosses windows. The view is good as long as the windows are.
  @inline(__always) func view(_ offset: UInt64, _ byteCount: Int) throws(EngineError) -> ByteView? {
    let index = Self.index(of: offset)
    let start = Int(offset - Self.start(of: index))
    if let view = windows[index].view(start, byteCount) { return view }
    if windows[index].isMapped { return nil }
    try map(index)
    return windows[index].view(start, byteCount)
  }

  /// As `view`; nil too where nothing is mapped yet. The bytes needn't be in the file.
  func mapped(_ offset: UInt64, _ byteCount: Int) -> ByteView? {
    let index = Self.index(of: offset)
    return windows[index].view(Int(offset - Self.start(of: index)), byteCount)
  }

  private func map(_ index: Int) throws(EngineError) {
    let start = Self.start(of: index)
    let byteCount = index == 0 ? Self.firstByteCount : start
    try naming(file.path) { () throws(SystemError) in
      try windows[index].fill { () throws(SystemError) in try file.map(offset: start, count: Int(byteCount), writable: false) }
    }
  }
}
