import Synchronization

/// What snapshots of one version found in its catalogue so far, for all of them.
final class KnownTrees: Sendable {
  private struct Known {
    /// The first ones asked for: names are short, so comparing a few costs less than hashing one.
    var first: [(name: String, record: Catalog.Record?)] = []
    var others: [String: Catalog.Record?] = [:]
  }
  private static let firstCountMax = 12
  private let known = Mutex(Known())

  /// - Returns: nil when it isn't known; nil inside when there is no such tree.
  func record(_ name: String) -> Catalog.Record?? {
    known.withLock { known in
      for entry in known.first where entry.name == name { return .some(entry.record) }
      return known.others.isEmpty ? nil : known.others[name]
    }
  }

  func insert(_ name: String, _ record: Catalog.Record?) {
    known.withLock { known in
      if known.first.contains(where: { $0.name == name }) { return }
      if known.first.count < Self.firstCountMax { known.first.append((name, record)) } else { known.others[name] = .some(record) }
    }
  }
}
