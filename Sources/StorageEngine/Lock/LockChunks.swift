import RawMemory
import StorageIO
import Synchronization

/// The chunks of one table, mapped. The chain only grows, also through other processes.
final class LockChunks: Sendable {
  /// nil: in memory, for one process.
  let file: StorageFile?
  let chunkByteCount: Int
  /// The first chunk of the file.
  let header: Mapping
  /// The first chunk of the table.
  let first: Mapping
  private let chain: Mutex<[Mapping]>

  init(_ file: StorageFile?, header: Mapping, first: Mapping, chunkByteCount: Int) {
    self.file = file
    self.header = header
    self.first = first
    self.chunkByteCount = chunkByteCount
    chain = Mutex([first])
  }

  /// All chunks, those that another process has just appended too.
  func all() throws(SystemError) -> [Mapping] {
    try chain.withLock { chain throws(SystemError) in
      try extend(&chain)
      return chain
    }
  }

  /// Appends a chunk, without a lock: nobody waits for a process that is stopped or killed on the way, which costs at most a chunk.
  func grow() throws(SystemError) {
    try chain.withLock { chain throws(SystemError) in
      guard let file else { return chain.append(Mapping.anonymous(count: chunkByteCount)) }
      let chunk = try Self.reserve(file, header, chunkByteCount)
      // Others may have appended meanwhile: behind the last one, wherever that is.
      while true {
        try extend(&chain)
        if chain.last!.compareExchange(expected: 0, desired: chunk.fileOffset, at: LockLayout.Chunk.next) { break }
      }
      chain.append(chunk)
    }
  }

  private func extend(_ chain: inout [Mapping]) throws(SystemError) {
    guard let file else { return }
    while true {
      let next = chain.last!.loadSequential(at: LockLayout.Chunk.next)
      if next == 0 { return }
      // A chain that leads back into itself comes from damage.
      if chain.contains(where: { $0.fileOffset == next }) { throw SystemError(.map, ErrorNumber.inputOutput) }
      chain.append(try Self.map(file, at: next, chunkByteCount))
    }
  }

  /// Maps a chunk that a word of the file names. What the word says is checked: behind the file's end a mapping is a trap.
  static func map(_ file: StorageFile, at offset: UInt64, _ chunkByteCount: Int) throws(SystemError) -> Mapping {
    let byteCount = try file.status().byteCount
    guard offset % UInt64(chunkByteCount) == 0, offset < byteCount, byteCount - offset >= UInt64(chunkByteCount) else {
      throw SystemError(.map, ErrorNumber.inputOutput)
    }
    return try file.map(offset: offset, count: chunkByteCount, writable: true, isForgottenInChild: true)
  }

  /// A chunk of zeros that is this caller's alone.
  static func reserve(_ file: StorageFile, _ header: Mapping, _ chunkByteCount: Int) throws(SystemError) -> Mapping {
    let step = UInt64(chunkByteCount)
    var offset: UInt64
    repeat {
      offset = header.loadSequential(at: LockLayout.Header.end)
      guard offset % step == 0, offset > 0, offset < 1 << 40 else { throw SystemError(.map, ErrorNumber.inputOutput) }
    } while !header.compareExchange(expected: offset, desired: offset + step, at: LockLayout.Header.end)
    do throws(SystemError) {
      // Of the file before it is mapped: a full disk is an error, and never a signal.
      try file.allocate(offset..<offset + step)
      return try file.map(offset: offset, count: chunkByteCount, writable: true, isForgottenInChild: true)
    } catch {
      // If nobody has come behind it, the next one tries here again.
      _ = header.compareExchange(expected: offset + step, desired: offset, at: LockLayout.Header.end)
      throw error
    }
  }
}
