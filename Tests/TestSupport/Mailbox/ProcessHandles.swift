import Foundation
package import MailboxLog

/// How a test process opens a mailbox: what it watches, and where it stops or dies.
package struct ProcessHandles: Sendable {
  package var directory: String
  package var options = LogOptions()
  /// A file of `NonceLedger`.
  package var ledger: String?
  package var isUnmapped = false
  /// A file that takes the mode of whatever is made, as lines of kind, mode and path.
  package var modes: String?
  /// `point:ordinal`, and the signal that the process sends itself there.
  package var traps: [(point: String, signal: Int32)] = []

  package init(directory: String) { self.directory = directory }

  /// The kernel and the ledger are shared by all handles of the process.
  package func opened() throws -> Opened { try Opened(self) }

  package final class Opened: Sendable {
    private let directory: String
    private let options: LogOptions
    #if DEBUG
      package let system: FailpointCalls
      private let observer: NonceLedger?
    #endif

    fileprivate init(_ handles: ProcessHandles) throws {
      directory = handles.directory
      options = handles.options
      #if DEBUG
        system = FailpointCalls(isUnmapped: handles.isUnmapped, modes: handles.modes)
        observer = handles.ledger.map { NonceLedger(path: $0) }
        for (place, signal) in handles.traps {
          let parts = place.split(separator: ":")
          let name = String(parts[0])
          let isKnown = system.at(name, ordinal: parts.count > 1 ? Int(parts[1])! : 1) {
            emit("at \(name)")
            kill(getpid(), signal)
          }
          guard isKnown else { throw ChildProcess.Failure(reason: "no failpoint \(name)") }
        }
      #endif
    }

    /// Has an action run when a point is reached. - Returns: whether there is such a point.
    package func at(_ point: String, _ action: @escaping @Sendable () -> Void) -> Bool {
      #if DEBUG
        return system.at(point, ordinal: 1, action)
      #else
        return false
      #endif
    }

    package func writer() throws -> MailboxWriter {
      #if DEBUG
        return try MailboxWriter(directory: directory, options: options, system: system, nonceObserver: observer)
      #else
        return try MailboxWriter(directory: directory, options: options)
      #endif
    }
    package func reader() throws -> MailboxReader {
      #if DEBUG
        return try MailboxReader(directory: directory, options: options, system: system, nonceObserver: observer)
      #else
        return try MailboxReader(directory: directory, options: options)
      #endif
    }
  }

  /// What an entry of this id holds, so that whoever reads it can tell.
  package static func payload(of id: String, byteCount: Int) -> [UInt8] {
    let pattern = Array(id.utf8) + [0xA5]
    return (0..<byteCount).map { pattern[$0 % pattern.count] }
  }
  /// A position as 48 digits.
  package static func text(_ position: MailboxPosition) -> String {
    position.sortableBytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
