import CSystem
import Foundation
package import StorageIO

/// What all processes of one test kernel share, behind one lock.
///
/// The page cache (`Inode`) and the disk (`Durability`) are two things here, as they are in a machine.
final class KernelCore {
  let lock = NSRecursiveLock()
  let root: Inode
  var inodes: [UInt64: Inode] = [:]
  var nextInode: UInt64
  var durability: Durability
  var settings: KernelSettings
  var faults = FaultPlan()
  var generator: SplitMix64
  /// What each process that was made says of itself; nil of one that nobody holds any more.
  var processes: [() -> ProcessFacts?] = []
  private var processCount: Int32 = 0

  /// What of the passed time is less than a microsecond.
  private var leftNanoseconds: UInt64 = 0

  var isRecording = false
  var recordingStart = Durability()
  var events: [KernelEvent] = []
  var marks: [KernelMark] = []

  init(_ durability: Durability, _ settings: KernelSettings) {
    self.durability = durability
    self.settings = settings
    generator = SplitMix64(seed: settings.seed)
    var made: [UInt64: Inode] = [:]
    for (number, record) in durability.records {
      made[number] = Inode(number: number, isDirectory: record.isDirectory, mode: record.mode, source: record.bytes)
    }
    for (number, record) in durability.records {
      for (name, target) in record.entries {
        made[number]!.entries[name] = made[target]!
        made[target]!.linkCount += 1
      }
    }
    root = made[Durability.root]!
    root.linkCount = 1
    inodes = made
    nextInode = (made.keys.max() ?? 0) + 1
  }

  func locked<R>(_ body: () throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  func nextProcess() -> ProcessFacts {
    processCount += 1
    return ProcessFacts(identity: 1000 + processCount, startTime: 50_000 + UInt64(processCount))
  }
  /// The latest of its number, in the namespace of who asks; what nobody holds any more is gone.
  func process(_ identity: Int32, seenFrom observer: ProcessFacts) -> ProcessFacts? {
    processes.lazy.compactMap { $0() }.last { $0.identity == identity && $0.namespace == observer.namespace }
  }

  func record(_ operation: KernelOperation) { record(.operation(operation)) }
  func record(_ event: KernelEvent) {
    durability.apply(event)
    if isRecording { events.append(event) }
  }

  /// Bytes of all files together, also of those that only descriptors still hold.
  var usedByteCount: Int { inodes.values.reduce(0) { $0 + ($1.isDirectory ? 0 : $1.byteCount) } }
  var freeByteCount: Int { max(0, (faults.byteBudget ?? .max) - usedByteCount) }

  /// Time passes on both clocks.
  func step(nanoseconds: UInt64) {
    settings.monotonicNanoseconds &+= nanoseconds
    leftNanoseconds += nanoseconds
    settings.realtimeMicroseconds += Int64(leftNanoseconds / 1000)
    leftNanoseconds %= 1000
  }

  func forgetIfUnused(_ inode: Inode) {
    if inode.linkCount == 0 && inode.openCount == 0 { inodes[inode.number] = nil }
  }
}

/// What a machine keeps when it starts again.
package struct KernelSettings: Sendable {
  package var pageByteCount = 4096
  package var fileSystemKind = FileSystemKind.overwritesInPlace
  package var bootIdentity: UInt64 = 0xB007
  package var realtimeMicroseconds: Int64 = 1_750_000_000_000_000
  package var monotonicNanoseconds: UInt64 = 1_000_000_000
  package var device: UInt64 = 64
  package var seed: UInt64 = 1
  /// How far a file may grow while it is mapped.
  package var reservedByteCount = 4 << 20

  package init() {}
}

/// What a process of a test kernel is to others.
package struct ProcessFacts: Sendable {
  package var identity: Int32
  /// nil: hidden from everybody.
  package var startTime: UInt64?
  package var namespace: UInt64 = 0xF000_0001
  package var liveness = ProcessLiveness.alive
  /// Another after an `exec`.
  package var image: UInt8 = 1
}

/// What an application said at a point of the history: an append acknowledged, a batch committed.
package struct KernelMark: Sendable, Equatable {
  /// How many events were there before it.
  package let position: Int
  package let label: String
}
