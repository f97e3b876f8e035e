import CSystem
@testable import RawMemory
@testable import StorageIO

/// Answers one kind of call from a script, and every other call with success: nothing reaches a kernel.
final class ScriptedCalls: SystemCalls, @unchecked Sendable {
  struct Transfer: Equatable {
    let range: Range<Int>
    let offset: UInt64
  }
  let scripted: SystemCall
  private var script: [Int]
  private(set) var counts: [SystemCall: Int] = [:]
  private(set) var transfers: [Transfer] = []

  init(_ scripted: SystemCall, _ script: [Int]) {
    self.scripted = scripted
    self.script = script
    super.init()
  }

  var isUsedUp: Bool { script.isEmpty }

  private func answer(_ call: SystemCall, _ success: Int = 0) -> Int {
    counts[call, default: 0] += 1
    if call != scripted || script.isEmpty { return success }
    return script.removeFirst()
  }

  override func open(_ path: String, flags: Int32, mode: UInt32) -> Int { answer(.open, 1_000_000) }
  override func close(_ descriptor: Int32) -> Int { answer(.close) }
  override func read(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    transfers.append(Transfer(range: range, offset: offset))
    return answer(.read, range.count)
  }
  override func write(_ descriptor: Int32, _ buffer: ByteBuffer, _ range: Range<Int>, at offset: UInt64) -> Int {
    transfers.append(Transfer(range: range, offset: offset))
    return answer(.write, range.count)
  }
  override func synchronizeData(_ descriptor: Int32) -> Int { answer(.synchronizeData) }
  override func synchronize(_ descriptor: Int32) -> Int { answer(.synchronize) }
  override func allocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int { answer(.allocate) }
  override func truncate(_ descriptor: Int32, byteCount: UInt64) -> Int { answer(.truncate) }
  override func memoryFile() -> Int { answer(.memoryFile, 1_000_000) }
  override func status(_ descriptor: Int32, _ status: inout FileStatus?) -> Int { answer(.status, &status) }
  override func status(path: String, _ status: inout FileStatus?) -> Int { answer(.status, &status) }
  private func answer(_ call: SystemCall, _ status: inout FileStatus?) -> Int {
    let result = answer(call)
    if result == 0 { status = FileStatus(kind: .file, device: 1, inode: 2, byteCount: 3, linkCount: 1, mode: 0o600) }
    return result
  }
  override func tryLock(_ descriptor: Int32) -> Int { answer(.lock) }
  override func unlock(_ descriptor: Int32) -> Int { answer(.unlock) }
  override func link(_ path: String, to newPath: String) -> Int { answer(.link) }
  override func rename(_ path: String, to newPath: String) -> Int { answer(.rename) }
  override func unlink(_ path: String) -> Int { answer(.unlink) }
  override func makeDirectory(_ path: String, mode: UInt32) -> Int { answer(.makeDirectory) }
  override func changeMode(_ path: String, mode: UInt32) -> Int { answer(.changeMode) }
  override func list(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int { answer(.list) }
  override func map(_ descriptor: Int32, offset: UInt64, count: Int, writable: Bool, code: inout Int) -> Mapping? {
    code = answer(.map)
    return code < 0 ? nil : Mapping(of: ByteBuffer(count: count), 0..<count, fileOffset: offset, observer: nil)
  }
}
