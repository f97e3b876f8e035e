import RawMemory
import StorageIO
import Synchronization
final class LockFile: @unchecked Sendable {
  struct Slot { var version: UInt64 ; var index: Int }
  struct PinX { var version: UInt64 }
  private let m = Mutex<(pub: UInt64, dur: UInt64, next: UInt64, slots: [UInt64?])>((0,0,0,[]))
  init(_ p: UInt64,_ d: UInt64,_ n: UInt64) { m.withLock { $0 = (p,d,n,[]) } }
  static func open(_ system: SystemCalls, path: String, fileID: UInt64, mode: UInt32, deadline: Deadline, newest: () throws(EngineError) -> (published: UInt64, durable: UInt64, newestSeen: UInt64)) throws(EngineError) -> LockFile {
    let x = try newest(); return LockFile(x.published, x.durable, x.newestSeen + 1 << 32) }
  static func inMemory() -> LockFile { LockFile(0,0,1) }
  var published: UInt64 { m.withLock { $0.pub } }
  func publish(_ v: UInt64) { m.withLock { $0.pub = v } }
  var durable: UInt64 { m.withLock { $0.dur } }
  func setDurable(_ v: UInt64) { m.withLock { $0.dur = v } }
  func takeTransactionID() -> UInt64 { m.withLock { $0.next += 1; return $0.next } }
  func register(_ v: UInt64) throws(SystemError) -> Slot? { m.withLock { $0.slots.append(v); return Slot(version: v, index: $0.slots.count - 1) } }
  func unregister(_ s: Slot) { m.withLock { $0.slots[s.index] = nil } }
  func pinned(reclaimingDead: Bool) -> [PinX] { m.withLock { $0.slots.compactMap { $0 }.map { PinX(version: $0) } } }
  var generation: UInt64 { 0 }
}
